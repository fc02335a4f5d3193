import { types } from 'pg'

type Parse = (value: string) => unknown

const TEXT_ARRAY: number = 1009
const parseTextArray: (value: string) => (string | null)[] = types.getTypeParser(TEXT_ARRAY)

const asText: Parse = value => value

const asNumber: Parse = value => {
  const number = Number(value)
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new RangeError(`${value} is too large for a number`)
  return number
}

// By default, pg converts dates and local timestamps to Date objects in the server's time zone.
const scalars: [oid: number, arrayOid: number, parse: Parse][] = [
  [20, 1016, asNumber], // int8
  [1700, 1231, asNumber], // numeric
  [1082, 1182, asText], // date: YYYY-MM-DD
  [1083, 1183, asText], // time: HH:MM:SS
  [1114, 1115, asText], // timestamp: YYYY-MM-DD HH:MM:SS
]

const parsers = new Map<number, Parse>(
  scalars.flatMap(([oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, value => parseTextArray(value).map(item => (item === null ? null : parse(item)))],
  ]),
)

/** Type parsers: int8 and numeric become numbers; date, time and timestamp become texts; timestamptz becomes a Date. */
export const columnTypes: typeof types = {
  ...types,
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}
