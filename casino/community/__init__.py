"""Friends, evenings, weekly tasks and notifications, each an optional app."""
