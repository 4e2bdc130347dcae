FROM debian:trixie-slim
RUN groupadd -g 999 postgres && useradd -u 999 -g postgres -d /var/lib/postgresql -s /bin/bash postgres
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-common && sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' \
  /etc/postgresql-common/createcluster.conf && apt-get install -y --no-install-recommends postgresql-17 && rm -rf /var/lib/apt/lists/*
ENV PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/var/lib/postgresql/18/docker
COPY postgres-entrypoint.sh /usr/local/bin/
RUN rm -rf /var/lib/postgresql/* && chown -R postgres: /var/lib/postgresql
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["bash", "/usr/local/bin/postgres-entrypoint.sh"]
CMD ["postgres"]
