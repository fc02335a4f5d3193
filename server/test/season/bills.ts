import { HELD } from './lessons.ts'
import { PEOPLE, type PersonName } from './programme.ts'

/** Prices in euros; without `external` an external pays the fee plus 15.00. */
type Rates = { fee: number; energy?: number; external?: number; isWaivable?: true }

const RATES: Record<string, Rates> = {
  'H-01': { fee: 60, isWaivable: true },
  'H-02': { fee: 80 },
  'H-03': { fee: 60, energy: 9.5, external: 105, isWaivable: true },
  'H-04': { fee: 50 },
  'H-05': { fee: 40, isWaivable: true },
  'H-06': { fee: 90, external: 120 },
  'H-07': { fee: 0, external: 0 },
  'H-08': { fee: 30, isWaivable: true },
  'H-09': { fee: 45, isWaivable: true },
  'H-10': { fee: 70 },
  'F-01': { fee: 30, isWaivable: true },
  'S-01': { fee: 60, isWaivable: true },
}
const EXTERNAL_SURCHARGE = 15

type Why = 'given back' | 'cancelled late' | 'moved' | 'course cancelled'
/** Deleted accounts: the desk's list has no name for them. */
const DELETED: readonly PersonName[] = ['olga', 'rosa', 'vera']

/** Every place that was given, and why its price does not follow attendance. */
const PLACES: [number: string, name: PersonName, why?: Why][] = [
  ['H-01', 'anna'],
  ['H-01', 'bernd'],
  ['H-01', 'cem'],
  ['H-01', 'olga'],
  ['H-01', 'rosa', 'cancelled late'],
  ['H-02', 'jan'],
  ['H-02', 'karl'],
  ['H-02', 'paul', 'moved'],
  ['H-02', 'uwe'],
  ['H-03', 'dora'],
  ['H-03', 'emil'],
  ['H-03', 'frieda'],
  ['H-03', 'gerd'],
  ['H-03', 'jan'],
  ['H-04', 'vera'],
  ['H-04', 'karl', 'given back'],
  ['H-04', 'lena'],
  ['H-04', 'tom'],
  ['H-05', 'mia'],
  ['H-05', 'nils'],
  ['H-06', 'ida'],
  ['H-07', 'anna'],
  ['H-07', 'jan'],
  ['H-08', 'anna'],
  ['H-08', 'bernd'],
  ['H-09', 'sven', 'course cancelled'],
  ['H-10', 'paul'],
  ['F-01', 'anna'],
  ['F-01', 'gerd'],
  ['S-01', 'anna'],
]

/** Specification, section 1, and money.md, rules 1, 5 and 7: two thirds of the lessons after the place was given. */
function owes(number: string, name: PersonName, why?: Why): number {
  const { fee, energy = 0, external, isWaivable } = RATES[number] as Rates
  const { group } = PEOPLE[name]
  if (group === 'external') return (external ?? fee + EXTERNAL_SURCHARGE) + energy
  const marks = HELD[number]?.marks[name]?.trim() ?? ''
  const present = marks.replaceAll(/[^1]/g, '').length
  const isRegular = why === undefined && marks !== '' && present >= Math.ceil((2 * marks.length) / 3)
  return (isWaivable && isRegular && (group === 'employee' || group === 'pensioner') ? 0 : fee) + energy
}

/** 'course person euros' as the list of the desk has them. */
export const listOwed = (): string[] =>
  PLACES.map(([number, name, why]) => {
    const sum = why === undefined || why === 'cancelled late' ? owes(number, name, why) : 0
    return `${number} ${DELETED.includes(name) ? 'deleted' : name} ${sum.toFixed(2).replace('.', ',')}`
  }).sort()
