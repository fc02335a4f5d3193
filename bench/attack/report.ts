/** The outcome of one kind of attack: how often it was tried, and each time that it went through. */
export type Outcome = { attack: string; tries: number; failures: string[] }

/** Counts tries and notes what went wrong, a line each. */
export function createOutcome(attack: string) {
  const outcome: Outcome = { attack, tries: 0, failures: [] }
  return {
    outcome,
    /** @param failure what went through, or null when the portal held */
    note(failure: string | null): void {
      outcome.tries += 1
      if (failure !== null) outcome.failures.push(failure)
    },
  }
}

/** The table that is printed at the end, a line for each attack, and the first failures of each below it. */
export function describe(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ attack }) => attack.length))
  const lines = outcomes.map(
    ({ attack, tries, failures }) =>
      `${attack.padEnd(width)}  ${String(tries).padStart(7)} tries  ${String(failures.length).padStart(4)} failures`,
  )
  const details = outcomes.flatMap(({ attack, failures }) =>
    failures.slice(0, 20).map(failure => `  ${attack}: ${failure}`),
  )
  return [...lines, ...details].join('\n')
}
