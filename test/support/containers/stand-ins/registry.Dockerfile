FROM stand-in-java
COPY registry /deployments
USER appuser
CMD ["sh", "-c", "exec java $JAVA_OPTS_APPEND -jar /deployments/apicurio-registry-app-*-runner.jar"]
