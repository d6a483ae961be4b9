"""The containers of `docs/deploy/compose.yaml` are run, by podman: `python -m tests.containers`."""
