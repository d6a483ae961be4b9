"""Webhooks: other programs are told what has happened in the house (Standard Webhooks)."""
