# A next version: one more migration, of the busiest tables, and the settings that know it.
ARG NOW
FROM ${NOW}
COPY bench/__init__.py bench/
COPY bench/upgrade bench/upgrade
ENV DJANGO_SETTINGS_MODULE=bench.upgrade.settings
