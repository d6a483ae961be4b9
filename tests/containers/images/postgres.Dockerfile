# PostgreSQL of Debian, in place of the registry's image.
ARG DEBIAN
FROM ${DEBIAN}
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
COPY postgres.sh /usr/local/bin/
ENTRYPOINT ["sh", "/usr/local/bin/postgres.sh"]
CMD ["postgres"]
