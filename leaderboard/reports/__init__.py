"""What a release freezes beside its boards, and how it is shown."""
