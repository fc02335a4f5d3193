import { isSEPACountry, isValidIBAN } from 'ibantools'

/**
 * Countries that joined the SEPA schemes in 2025 and 2026 and are missing in ibantools 4.5.4 (EPC409-09, list of SEPA
 * scheme countries).
 */
const NEW_SEPA_COUNTRIES = ['AL', 'MD', 'ME', 'MK', 'RS']

/**
 * Checks an IBAN without blanks: check digits, length and structure of its country (ISO 13616), and whether a SEPA credit
 * transfer can reach it.
 */
export function checkIban(iban: string): 'valid' | 'invalid' | 'outsideSepa' {
  if (!isValidIBAN(iban)) return 'invalid'
  const country = iban.slice(0, 2)
  return isSEPACountry(country) || NEW_SEPA_COUNTRIES.includes(country) ? 'valid' : 'outsideSepa'
}
