import { EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import type { Price } from '../endpoints/courses.ts'

/** Price data of courses in euros, one entry per pricing rule. */
export const COURSE_KINDS = {
  free: { fee: 0, externalFee: 0, energyFee: 0, freeWithAttendance: false, meetingURL: '' },
  fee: { fee: 45, externalFee: null, energyFee: 0, freeWithAttendance: false, meetingURL: '' },
  externalFee: { fee: 0, externalFee: 15, energyFee: 0, freeWithAttendance: false, meetingURL: '' },
  energy: { fee: 0, externalFee: 15, energyFee: 9, freeWithAttendance: false, meetingURL: '' },
  feeAndEnergy: { fee: 45, externalFee: 60, energyFee: 9, freeWithAttendance: false, meetingURL: '' },
  attendance: { fee: 72, externalFee: null, energyFee: 9, freeWithAttendance: true, meetingURL: '' },
  online: { fee: 20, externalFee: 20, energyFee: 0, freeWithAttendance: false, meetingURL: 'https://meet.example/1' },
} as const
export type CourseKind = keyof typeof COURSE_KINDS
export const KIND_NAMES = Object.keys(COURSE_KINDS) as CourseKind[]

export type Group = 'member' | 'other' | 'external'
/**
 * Pricing group: externals pay the external fee, employees and pensioners may have the fee waived, all others pay the
 * fee.
 */
export const groupOf = (status: EmployeeStatus): Group =>
  status === EMPLOYEE_STATUS.External
    ? 'external'
    : status === EMPLOYEE_STATUS.Employee || status === EMPLOYEE_STATUS.Pensioner
      ? 'member'
      : 'other'

type Said = [amount: number, inOneLine: string]
const fee = (amount: number, text: string): Said => [amount, text]
/** Expected amount due and its wording, calculated by hand, for the tests of server and app. */
export const EXPECTED: Record<CourseKind, Record<Group, Said>> = {
  free: { member: fee(0, 'kostenlos'), other: fee(0, 'kostenlos'), external: fee(0, 'kostenlos') },
  fee: { member: fee(45, '45,00 €'), other: fee(45, '45,00 €'), external: fee(60, '60,00 €') },
  externalFee: { member: fee(0, 'kostenlos'), other: fee(0, 'kostenlos'), external: fee(15, '15,00 €') },
  energy: {
    member: fee(9, '9,00 € (nur Energiezuschlag)'),
    other: fee(9, '9,00 € (nur Energiezuschlag)'),
    external: fee(24, '24,00 € (15,00 € für Externe + 9,00 € Energiezuschlag)'),
  },
  feeAndEnergy: {
    member: fee(54, '54,00 € (45,00 € Kursgebühr + 9,00 € Energiezuschlag)'),
    other: fee(54, '54,00 € (45,00 € Kursgebühr + 9,00 € Energiezuschlag)'),
    external: fee(69, '69,00 € (60,00 € für Externe + 9,00 € Energiezuschlag)'),
  },
  attendance: {
    member: fee(
      81,
      '81,00 € (72,00 € Kursgebühr + 9,00 € Energiezuschlag), Kursgebühr entfällt bei regelmäßiger Teilnahme',
    ),
    other: fee(81, '81,00 € (72,00 € Kursgebühr + 9,00 € Energiezuschlag)'),
    external: fee(96, '96,00 € (87,00 € für Externe + 9,00 € Energiezuschlag)'),
  },
  online: { member: fee(20, '20,00 €'), other: fee(20, '20,00 €'), external: fee(20, '20,00 €') },
}

/** The price that the API should return for a person of this group. */
export function answeredPrice(kind: CourseKind, group: Group): Price {
  const { energyFee, freeWithAttendance } = COURSE_KINDS[kind]
  const [amount] = EXPECTED[kind][group]
  return {
    amount,
    fee: amount - energyFee,
    energyFee,
    kind: amount === 0 ? 'free' : group === 'external' ? 'external' : 'fee',
    freeWithAttendance: freeWithAttendance && group === 'member',
    waived: false,
    priceOnceVerified: null,
  }
}
