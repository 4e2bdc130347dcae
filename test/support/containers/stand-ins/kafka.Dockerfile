FROM stand-in-java
COPY kafka /opt/kafka/libs
COPY kafka-entrypoint.sh kafka-configs.sh /opt/kafka/bin/
RUN install -d -o appuser -g appuser /var/lib/kafka/data /opt/kafka/config /mnt/shared/config /etc/kafka/docker \
  && touch /etc/kafka/docker/server.properties /etc/kafka/docker/log4j2.yaml /etc/kafka/docker/tools-log4j2.yaml \
  && chmod +x /opt/kafka/bin/*
USER appuser
VOLUME ["/var/lib/kafka/data", "/mnt/shared/config"]
CMD ["/opt/kafka/bin/kafka-entrypoint.sh"]
