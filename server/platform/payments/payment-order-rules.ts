import anyAscii from 'any-ascii'
import type { BillingConfig } from '#contract/endpoints/billing.ts'
import { checkIban } from './iban-rules.ts'

export type CreditTransfer = { reference: string; name: string; iban: string; cents: number }

/** German spellings, which differ from those of the library. */
const GERMAN: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }
/** Letters of European scripts, which can be transliterated. Of other scripts, only the holder knows the spelling. */
const UNWRITABLE =
  /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian}|\p{Script=Georgian})\p{L}/u

/**
 * Transliterates text to the SEPA character set (EPC217-08), which needs no XML escapes.
 * @returns '' if the text contains letters that cannot be transliterated, or no letter or digit
 */
export function toSepaText(text: string, max: number): string {
  const composed = text.normalize('NFC')
  if (UNWRITABLE.test(composed)) return ''
  // The library writes names of pictographs, such as ":smile:".
  const letters = composed
    .replaceAll(/[\p{So}\p{Sk}]/gu, ' ')
    .replaceAll(/[äöüÄÖÜ]/g, letter => GERMAN[letter] ?? letter)
  const written = anyAscii(letters)
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+]+/g, ' ')
    .trim()
    .slice(0, max)
    .trim()
  return /[A-Za-z0-9]/.test(written) ? written : ''
}

const euros = (cents: number) => (cents / 100).toFixed(2)
const LARGEST_CENTS = 99_999_999_999

/**
 * Verifies a transfer against the types of pain.001.001.09 (Max35Text, Max70Text, IBAN2007Identifier, amounts of the
 * SEPA rulebook), because a bank rejects the whole order if one transfer is invalid.
 * @throws Error naming the transfer and the field
 */
function requireValidTransfer({ reference, name, iban, cents }: CreditTransfer): void {
  const invalid = [
    ...(toSepaText(reference, 35) === reference ? [] : ['EndToEndId']),
    ...(toSepaText(name, 70) === '' ? ['Cdtr/Nm'] : []),
    ...(checkIban(iban) === 'valid' ? [] : ['CdtrAcct/Id/IBAN']),
    ...(Number.isInteger(cents) && cents > 0 && cents <= LARGEST_CENTS ? [] : ['InstdAmt']),
  ]
  if (invalid.length > 0) throw new Error(`transfer ${reference}: ${invalid.join(', ')} would be invalid in pain.001`)
}

/**
 * Writes a payment order for the bank: SEPA credit transfers as pain.001.001.09 (ISO 20022).
 * @param id unique per order, for example 'REFUND-7'
 * @param today 'YYYY-MM-DD'
 * @throws Error if a transfer cannot be written
 */
export function writeCreditTransfers(
  { invoice: { recipient, iban, bic } }: BillingConfig,
  { id, today, transfers }: { id: string; today: string; transfers: readonly CreditTransfer[] },
): Buffer {
  for (const transfer of transfers) requireValidTransfer(transfer)
  const sums = `<NbOfTxs>${transfers.length}</NbOfTxs><CtrlSum>${euros(transfers.reduce((sum, { cents }) => sum + cents, 0))}</CtrlSum>`
  const agent = bic === '' ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : `<BICFI>${bic}</BICFI>`
  const payer = toSepaText(recipient, 70)
  const lines = transfers.map(
    transfer => `
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${toSepaText(transfer.reference, 35)}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">${euros(transfer.cents)}</InstdAmt></Amt>
        <Cdtr><Nm>${toSepaText(transfer.name, 70)}</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>${transfer.iban}</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>${toSepaText(`Erstattung ${transfer.reference}`, 140)}</Ustrd></RmtInf>
      </CdtTrfTxInf>`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr><MsgId>${id}</MsgId><CreDtTm>${today}T00:00:00</CreDtTm>${sums}<InitgPty><Nm>${payer}</Nm></InitgPty></GrpHdr>
    <PmtInf>
      <PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt><Dt>${today}</Dt></ReqdExctnDt>
      <Dbtr><Nm>${payer}</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>${lines.join('')}
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`)
}
