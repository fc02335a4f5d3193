import * as v from 'valibot'
import { isIban } from './iban-rules.ts'

/** IBAN as people write it, in blocks or lower case; blanks are removed. */
export const iban = v.pipe(
  v.string(),
  v.maxLength(60),
  v.transform(text => text.replaceAll(/\s/g, '').toUpperCase()),
  v.check(isIban, 'is no IBAN'),
)
