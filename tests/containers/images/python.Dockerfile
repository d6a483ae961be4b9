# Python of Debian, in place of the registry's image: what docs/deploy/Dockerfile is built on.
ARG DEBIAN
FROM ${DEBIAN}
# The package index of this machine, and whom it trusts.
COPY certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY pip.conf /etc/pip.conf
RUN rm --force /usr/lib/python3*/EXTERNALLY-MANAGED
