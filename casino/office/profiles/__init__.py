"""The pages of profiles: drafting, what a version does, its approval, and what differs."""
