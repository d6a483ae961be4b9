"""The web server: its processes, threads, time limits, and data folder."""
