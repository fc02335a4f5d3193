import type { LedgerEntryKind } from '#server/features/money/ledger-repository.ts'
import type { PersonName } from './programme.ts'

/**
 * What everybody owes at the end, in euros, worked out by hand from money.md (sections 2 and 5), the prices in
 * programme.ts and the attendance in lessons.ts. Nothing here is computed.
 *
 * Method: count the lessons after the person received the place, except cancelled and excluded ones (rule 4). Two
 * thirds of them, rounded up, must be attended (rule 5), or one third with a shift proof for more than half of them.
 * For employees and pensioners in a course that offers it, regular attendance waives the fee and the processing fee,
 * but never the energy fee (rule 7). The share of cancelled lessons is deducted from the fee first (rules 8 and 9).
 */
export const LEDGER: [course: string, name: PersonName, entries: Partial<Record<LedgerEntryKind, number>>][] = [
  // Employee with regular attendance: 8 of 10 lessons, 7 are needed.
  ['H-01', 'anna', { fee: 60, waiver: -60 }],
  // Employee without: 5 of 10.
  ['H-01', 'bernd', { fee: 60 }],
  // Shift worker: 4 of 10. The proof covers the last 8 of them, so that ceil(10 / 3) = 4 are needed.
  ['H-01', 'cem', { fee: 60, waiver: -60 }],
  // Moved up on 12 November: 4 of the 5 lessons since then, ceil(10 / 3) = 4 are needed. Deleted after the settlement.
  ['H-01', 'olga', { fee: 60, waiver: -60 }],
  // Cancelled late: the full price at once. The attendance before does not count.
  ['H-01', 'rosa', { 'late-cancellation': 60 }],
  // External without an own price: 80 and 15. One of 9 lessons was cancelled: ceil(8000 / 9) = 889 cents of the fee, none of the 15.
  ['H-02', 'jan', { fee: 80, 'processing-fee': 15, 'lessons-cancelled': -8.89 }],
  ['H-02', 'karl', { fee: 80, 'lessons-cancelled': -8.89 }],
  // Left the company after 3 lessons, without cancelling.
  ['H-02', 'uwe', { fee: 80, 'lessons-cancelled': -8.89 }],
  // 4 of 8, 6 are needed.
  ['H-03', 'dora', { fee: 60, 'energy-fee': 9.5 }],
  ['H-03', 'emil', { fee: 60, 'energy-fee': 9.5 }],
  ['H-03', 'frieda', { fee: 60, 'energy-fee': 9.5 }],
  // Pensioner: 6 of 8.
  ['H-03', 'gerd', { fee: 60, 'energy-fee': 9.5, waiver: -60 }],
  // External with an own price of 105.
  ['H-03', 'jan', { fee: 105, 'energy-fee': 9.5 }],
  // No course for a waiver. Two accounts merged into one, and one that was deleted before the settlement.
  ['H-04', 'lena', { fee: 50 }],
  ['H-04', 'tom', { fee: 50 }],
  ['H-04', 'vera', { fee: 50 }],
  // One of 8 lessons was cancelled: 40 / 8 = 5. Regular, 7 of 7: the waiver is the 35 that are left of the fee.
  ['H-05', 'mia', { fee: 40, 'lessons-cancelled': -5, waiver: -35 }],
  // Joined late, for the last 3 lessons: 2 of 3, 2 are needed.
  ['H-05', 'nils', { fee: 40, waiver: -40 }],
  // Insured: never waived.
  ['H-06', 'ida', { fee: 90 }],
  // 6 of 8, and 2 of 8; 6 are needed.
  ['H-08', 'anna', { fee: 30, waiver: -30 }],
  ['H-08', 'bernd', { fee: 30 }],
  // Moved here from H-02, which costs nothing. All 6 lessons since then took place; no course for a waiver.
  ['H-10', 'paul', { fee: 70 }],
  // Of 12 lessons 8 are needed. Sick around Easter, whose Friday and Monday are holidays: 9, 10 and 11 working days. From 10 on the
  // lessons of 28 March and 4 April count beside the 6 attended ones.
  ['F-01', 'anna', { fee: 30, waiver: -30 }],
  ['F-01', 'dora', { fee: 30 }],
  ['F-01', 'emil', { fee: 30, waiver: -30 }],
  ['F-01', 'frieda', { fee: 30, waiver: -30 }],
  // 3 of 12.
  ['F-01', 'gerd', { fee: 30 }],
]

/**
 * Totals of the autumn season in January. Refunded: three times 8.89, and 5. Payroll and invoices are listed below,
 * 1020.83 in total. uwe's 71.11 were moved from payroll to an invoice, which is open.
 */
export const AUTUMN_TOTALS = {
  charged: 1397.5,
  waived: 345,
  refunded: 31.67,
  payroll: 528.5,
  invoiced: 492.33,
  paid: 949.72,
  open: 71.11,
}

const HEADER = ['personnelNumber', 'division', 'wageType', 'amount', 'period', 'costCentre']

/**
 * The autumn payroll file without references, ordered by personnel number (1000 for anna, 1001 for bernd and so on; see
 * programme.ts). People who owe nothing are not included.
 */
export const AUTUMN_PAYROLL = [
  HEADER,
  // bernd: 60 and 30
  ['1001', 'Werk', '4711', '90,00', '2026-12', '9000'],
  // dora, emil, frieda: 60 and 9.50
  ['1003', 'Werk', '4711', '69,50', '2026-12', '9000'],
  ['1004', 'Werk', '4711', '69,50', '2026-12', '9000'],
  ['1005', 'Werk', '4711', '69,50', '2026-12', '9000'],
  // lena
  ['1011', 'Werk', '4711', '50,00', '2026-12', '9000'],
  // paul
  ['1015', 'Werk', '4711', '70,00', '2026-12', '9000'],
  // rosa
  ['1016', 'Werk', '4711', '60,00', '2026-12', '9000'],
  // tom, with what tommy booked
  ['1018', 'Werk', '4711', '50,00', '2026-12', '9000'],
  // uwe
  ['1020', 'Werk', '4711', '71,11', '2026-12', '9000'],
  ['', '', '', '599,61', '', ''],
]

/** Only dora's sick leave was too short. */
export const SPRING_PAYROLL = [
  HEADER,
  ['1003', 'Werk', '4711', '30,00', '2027-04', '9000'],
  ['', '', '', '30,00', '', ''],
]

/** Lines and sum of each invoice as printed, in the person's language. */
export const AUTUMN_INVOICES: Partial<Record<PersonName, string>> = {
  gerd: 'Aqua (H-03): Kursgebühr 60,00 € Aqua (H-03): Energiezuschlag 9,50 € Aqua (H-03): Regelmäßige Teilnahme -60,00 € Summe 9,50 €',
  ida: 'Rückenschule (H-06): Kursgebühr 90,00 € Summe 90,00 €',
  jan: 'Yoga (H-02): Course fee 80,00 € Yoga (H-02): Processing fee 15,00 € Yoga (H-02): Cancelled lessons -8,89 € Aqua (H-03): Course fee 105,00 € Aqua (H-03): Energy fee 9,50 € Total 200,61 €',
  karl: 'Yoga (H-02): Kursgebühr 80,00 € Yoga (H-02): Ausgefallene Termine -8,89 € Summe 71,11 €',
  vera: 'Zirkel (H-04): Kursgebühr 50,00 € Summe 50,00 €',
}
/** uwe's invoice after payroll rejected his line. It is issued in the new year, in which numbering starts again. */
export const JANUARY_INVOICES: typeof AUTUMN_INVOICES = {
  uwe: 'Yoga (H-02): Kursgebühr 80,00 € Yoga (H-02): Ausgefallene Termine -8,89 € Summe 71,11 €',
}
export const SPRING_INVOICES: typeof AUTUMN_INVOICES = {
  gerd: 'Frühlingslauf (F-01): Kursgebühr 30,00 € Summe 30,00 €',
}

/** ida's certificate: 8 one-hour lessons, all of them attended. */
export const CERTIFICATE = {
  name: 'Ida Muster',
  course: 'Rückenschule',
  courseNumber: 'H-06',
  institute: 'ZPP 20260123',
  firstDay: '2026-09-30',
  lastDay: '2026-12-02',
  attended: 8,
  held: 8,
  minutes: 480,
  lessonMinutes: 60,
  instructor: 'Theo Turner',
  amount: 90,
  version: 1,
  issued: '2026-12-16',
}

/** All invoices at the end of the simulation. */
export const INVOICES: [name: PersonName, amount: number, state: string][] = [
  ['gerd', 30, 'open'],
  ['gerd', 9.5, 'paid'],
  ['ida', 90, 'paid'],
  ['jan', 200.61, 'paid'],
  ['karl', 71.11, 'paid'],
  ['uwe', 71.11, 'overdue'],
  ['vera', 50, 'paid'],
]

/** Costs of each course as shown to people: the sum and its state. Sums of 0 are settled through payroll, too. */
export const COSTS: Partial<Record<PersonName, string[]>> = {
  anna: ['S-01 60 open', 'F-01 0 payroll', 'H-01 0 paid', 'H-08 0 paid'],
  bernd: ['H-01 60 paid', 'H-08 30 paid'],
  cem: ['H-01 0 paid'],
  dora: ['F-01 30 payroll', 'H-03 69.5 paid'],
  emil: ['F-01 0 payroll', 'H-03 69.5 paid'],
  frieda: ['F-01 0 payroll', 'H-03 69.5 paid'],
  gerd: ['F-01 30 invoiced', 'H-03 9.5 paid'],
  hanna: [],
  ida: ['H-06 90 paid'],
  jan: ['H-02 86.11 paid', 'H-03 114.5 paid'],
  karl: ['H-02 71.11 paid'],
  lena: ['H-04 50 paid'],
  mia: ['H-05 0 paid'],
  nils: ['H-05 0 paid'],
  paul: ['H-10 70 paid'],
  sven: [],
  tom: ['H-04 50 paid'],
}

/**
 * The bookings list of the desk, including places that no longer cost anything. Deleted accounts have no name; S-01 is
 * not settled.
 */
export const LISTED = [
  'F-01 anna 0,00',
  'F-01 dora 30,00',
  'F-01 emil 0,00',
  'F-01 frieda 0,00',
  'F-01 gerd 30,00',
  'H-01 anna 0,00',
  'H-01 bernd 60,00',
  'H-01 cem 0,00',
  'H-01 deleted 0,00',
  'H-01 deleted 60,00',
  'H-02 jan 86,11',
  'H-02 karl 71,11',
  'H-02 paul 0,00',
  'H-02 uwe 71,11',
  'H-03 dora 69,50',
  'H-03 emil 69,50',
  'H-03 frieda 69,50',
  'H-03 gerd 9,50',
  'H-03 jan 114,50',
  'H-04 deleted 50,00',
  'H-04 karl 0,00',
  'H-04 lena 50,00',
  'H-04 tom 50,00',
  'H-05 mia 0,00',
  'H-05 nils 0,00',
  'H-06 ida 90,00',
  'H-07 anna 0,00',
  'H-07 jan 0,00',
  'H-08 anna 0,00',
  'H-08 bernd 30,00',
  'H-09 sven 0,00',
  'H-10 paul 70,00',
  'S-01 anna 60,00',
]
