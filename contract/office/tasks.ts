import type { ResponseOf } from '../endpoint.ts'
import type { Language, Right } from '../values.ts'
import type { getOfficeMoney } from './money.ts'
import type { TodayTask } from './today.ts'

/** Rights whose holders see tasks on *Today*, and can receive them with the report by e-mail. */
export const TASK_RIGHTS = ['programme', 'bookings', 'billing'] as const satisfies readonly Right[]

/** Headings of the lists of tasks on *Today* and in the report by e-mail. */
export const TODAY_TASK_LABELS: Record<Language, Record<TodayTask, string>> = {
  de: {
    call: 'Anzurufen',
    clashes: 'Überschneidungen in den nächsten 7 Tagen',
    absences: 'Kursleitung abwesend, nicht vertreten',
    substitutes: 'Keine Vertretung gefunden',
    closures: 'Termine in gesperrten Räumen',
    guests: 'An der Tür, nicht auf der Liste',
    mails: 'E-Mails, die warten',
    withoutPayer: 'Beträge ohne Zahlende',
    numberConflicts: 'Firmenanmeldung abgelehnt: andere Personalnummer',
    unverified: 'Noch nicht bestätigt',
    passedOver: 'Auf der Warteliste, aber ohne Aussicht auf einen Platz',
    decisions: 'Unter der Mindestzahl',
    licences: 'Lizenzen, die ablaufen',
    unrecorded: 'Anwesenheit nicht erfasst',
    openings: 'Buchungsstart in den nächsten 14 Tagen',
  },
  en: {
    call: 'To be called',
    clashes: 'Clashes in the next 7 days',
    absences: 'Instructor away, not covered',
    substitutes: 'No substitute found',
    closures: 'Lessons in closed rooms',
    guests: 'At the door, not on the list',
    mails: 'Delayed e-mails',
    withoutPayer: 'Amounts without a payer',
    numberConflicts: 'Company login refused: other personnel number',
    unverified: 'Not verified yet',
    passedOver: 'On a waiting list but unable to take a place',
    decisions: 'Below the minimum',
    licences: 'Licences that run out',
    unrecorded: 'Attendance not recorded',
    openings: 'Booking opens in the next 14 days',
  },
}

/** Billing tasks, in the order in which *Today* shows them. */
export const BILLING_TASKS = ['toSettle', 'outdated', 'undecided', 'proofs', 'held'] as const
export type BillingTask = (typeof BILLING_TASKS)[number]

/** Number of courses, people or proofs by billing task. */
export const countBillingTasks = ({
  toSettle,
  outdated,
  undecided,
  proofs,
  held,
}: ResponseOf<typeof getOfficeMoney>): Record<BillingTask, number> => ({
  toSettle: toSettle.length,
  outdated: outdated.length,
  undecided: undecided.reduce((sum, { people }) => sum + people, 0),
  proofs: proofs.open,
  held: held.reduce((sum, { count }) => sum + count, 0),
})
