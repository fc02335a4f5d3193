import data from './school-holidays.json' with { type: 'json' }

const states: Record<string, string[][]> = data.states

/**
 * Whether a calendar date ('YYYY-MM-DD') is in the Easter or autumn school holidays of a German state (in Hamburg: the
 * spring holidays in March). Data covers 2024 to the Easter holidays of 2030; other years have none. The source is
 * named in the file.
 * @param region ISO 3166-2 code, as in DE-NI
 */
export function isSchoolHoliday(region: string, date: string): boolean {
  return (states[region] ?? []).some(([first = '', last = '']) => first <= date && date <= last)
}

/** Last day, 'YYYY-MM-DD', covered by the school holiday data of a state. @param region ISO 3166-2 code */
export const lastSchoolHoliday = (region: string): string =>
  (states[region] ?? []).map(([, last = '']) => last).reduce((a, b) => (a > b ? a : b), '')
