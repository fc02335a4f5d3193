import type { Billing } from '#contract/billing.ts'

export type CreditTransfer = { reference: string; name: string; iban: string; cents: number }

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' }
/** Text in the character set of SEPA (EPC217-08), which needs no XML escapes. */
const sepaText = (text: string, max: number) =>
  text
    .replaceAll(/[äöüÄÖÜß]/g, letter => UMLAUTS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
    .trim()
    .slice(0, max)
const euros = (cents: number) => (cents / 100).toFixed(2)

/**
 * Payment order for the bank: SEPA credit transfers as pain.001.001.09 (ISO 20022).
 * @param id unique for each order, such as 'REFUND-7' @param today 'YYYY-MM-DD'
 */
export function writeCreditTransfers(
  { invoice: { recipient, iban, bic } }: Billing,
  { id, today, transfers }: { id: string; today: string; transfers: readonly CreditTransfer[] },
): Buffer {
  const sums = `<NbOfTxs>${transfers.length}</NbOfTxs><CtrlSum>${euros(transfers.reduce((sum, { cents }) => sum + cents, 0))}</CtrlSum>`
  const agent = bic === '' ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : `<BICFI>${bic}</BICFI>`
  const lines = transfers.map(
    transfer => `
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${sepaText(transfer.reference, 35)}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">${euros(transfer.cents)}</InstdAmt></Amt>
        <Cdtr><Nm>${sepaText(transfer.name, 70)}</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>${transfer.iban}</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>${sepaText(`Erstattung ${transfer.reference}`, 140)}</Ustrd></RmtInf>
      </CdtTrfTxInf>`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr><MsgId>${id}</MsgId><CreDtTm>${today}T00:00:00</CreDtTm>${sums}<InitgPty><Nm>${sepaText(recipient, 70)}</Nm></InitgPty></GrpHdr>
    <PmtInf>
      <PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt><Dt>${today}</Dt></ReqdExctnDt>
      <Dbtr><Nm>${sepaText(recipient, 70)}</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>${lines.join('')}
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`)
}
