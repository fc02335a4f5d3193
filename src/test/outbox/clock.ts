export class Violation extends Error {
  override name = 'Violation'
}

export const START_MS = Date.parse('2026-11-21T17:00:00Z')

/** Time that passes only when nothing else happens. */
export class Clock {
  now = START_MS
  private turn = 0
  private timers: { at: number; turn: number; act: () => void }[] = []

  after(ms: number, act: () => void): () => void {
    this.turn += 1
    const timer = { at: this.now + ms, turn: this.turn, act }
    this.timers.push(timer)
    return () => {
      const index = this.timers.indexOf(timer)
      if (index >= 0) this.timers.splice(index, 1)
    }
  }

  /** Lets time pass until then, one event after another. */
  async runUntil(until: number): Promise<void> {
    for (;;) {
      await settle()
      let first: (typeof this.timers)[number] | undefined
      for (const timer of this.timers) {
        if (!first || timer.at < first.at || (timer.at === first.at && timer.turn < first.turn)) first = timer
      }
      if (!first || first.at > until) break
      this.timers.splice(this.timers.indexOf(first), 1)
      this.now = Math.max(this.now, first.at)
      first.act()
    }
    this.now = until
  }
}

/** Whatever follows without waiting for anything outside. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await Promise.resolve()
}
