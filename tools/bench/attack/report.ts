/** Result of one attack: number of attempts, and each success. */
export type AttackResult = { attack: string; tries: number; failures: string[] }

/** Counts attempts and records successes, one line each. */
export function createAttackResult(attack: string) {
  const outcome: AttackResult = { attack, tries: 0, failures: [] }
  return {
    outcome,
    /** @param failure description of a successful attack; null if the portal withstood it */
    note(failure: string | null): void {
      outcome.tries += 1
      if (failure !== null) outcome.failures.push(failure)
    },
  }
}

/** Summary table: one line per attack, followed by its first failures. */
export function formatAttackResults(outcomes: readonly AttackResult[]): string {
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
