# Redis of Debian under Valkey's name, in place of the registry's image, and as open as that.
ARG DEBIAN
FROM ${DEBIAN}
RUN printf '#!/bin/sh\nexec redis-server --protected-mode no "$@"\n' > /usr/local/bin/valkey-server \
    && chmod +x /usr/local/bin/valkey-server
USER redis
CMD ["valkey-server"]
