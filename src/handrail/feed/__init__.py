"""Read events from a cursor: their order, the live fan-out, who may see them, and how they are written on the wire."""
