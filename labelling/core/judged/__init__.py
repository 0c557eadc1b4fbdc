"""What people's judgements say of systems: judged outputs go in, a figure per system with its interval comes out."""
