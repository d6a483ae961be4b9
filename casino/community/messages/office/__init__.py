"""What staff do with messages: drafts, publishing, figures, and their pages."""
