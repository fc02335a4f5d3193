/** Lease on outbox entries: maximum number, and the time in ms during which no other sender takes them. */
export type Lease = { limit: number; leaseMs: number }
