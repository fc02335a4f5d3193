/** What a sender takes from an outbox: so many at most, which nobody else takes for this time. */
export type Lease = { limit: number; leaseMs: number }
