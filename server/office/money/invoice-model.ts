import type { BillingConfig } from '#contract/endpoints/billing.ts'
import type { Branding } from '#contract/endpoints/branding.ts'
import type { Language } from '#contract/values.ts'
import { formatDate, formatMoney } from '#contract/words.ts'
import { toEpcPayload } from '#server/features/money/batch-rules.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { PAGE_COUNT_PLACEHOLDER, PAGE_NUMBER_PLACEHOLDER, type PdfDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'

export type PrintedInvoice = {
  language: Language
  number: string
  issuedOn: string
  dueOn: string
  name: string
  street: string
  zip: string
  city: string
  cents: number
  /** number of the invoice that this one cancels; '' for a regular invoice */
  cancels: string
  lines: { text: string; cents: number }[]
}

/** Lays out an invoice as A4 PDF. Invoices have an EPC QR code, cancellation invoices do not. */
export function layOutInvoice(invoice: PrintedInvoice, billing: BillingConfig, branding: Branding): PdfDocument {
  const { language, number, cents, cancels } = invoice
  const say = (key: string, values: Record<string, string> = {}) => translate(language, `money.invoice.${key}`, values)
  const day = (date: string) => formatDate(toDateTimeValue(date))
  const title = cancels === '' ? say('title', { number }) : say('cancelling', { number, cancels })
  const amount = (value: number) => ({ text: formatMoney(value / 100), alignment: 'right' })
  const { recipient, iban, bic, vat } = billing.invoice
  return {
    pageSize: 'A4',
    pageMargins: [71, 60, 57, 70],
    defaultStyle: { fontSize: 10 },
    language,
    info: { title, creationDate: new Date(`${invoice.issuedOn}T00:00:00Z`) },
    footer: {
      margin: [71, 20, 57, 0],
      fontSize: 8,
      columns: [
        { text: `${branding.name} · ${branding.vatId} · ${branding.email}` },
        {
          text: say('page', { page: PAGE_NUMBER_PLACEHOLDER, pages: PAGE_COUNT_PLACEHOLDER }),
          alignment: 'right',
          width: 'auto',
        },
      ],
    },
    content: [
      {
        text: `${branding.name} · ${branding.street} · ${branding.zip} ${branding.city}`,
        fontSize: 8,
        margin: [0, 68, 0, 6],
      },
      { text: [invoice.name, invoice.street, `${invoice.zip} ${invoice.city}`].join('\n'), margin: [0, 0, 0, 60] },
      { text: `${branding.city}, ${day(invoice.issuedOn)}`, alignment: 'right' },
      { text: title, role: 'H1', fontSize: 16, bold: true, margin: [0, 12, 0, 12] },
      {
        layout: 'grid',
        table: {
          headerRows: 1,
          widths: ['*', 80],
          body: [
            [say('item'), { text: say('amount'), alignment: 'right' }],
            ...invoice.lines.map(line => [line.text, amount(line.cents)]),
            [
              { text: say('sum'), bold: true },
              { ...amount(cents), bold: true },
            ],
          ],
        },
      },
      { text: vat[language], margin: [0, 10, 0, 10] },
      ...(cancels === '' && cents > 0
        ? [
            { text: say('pay', { day: day(invoice.dueOn), number }), margin: [0, 0, 0, 6] },
            {
              text: `${recipient}\nIBAN ${iban.replace(/(.{4})(?=.)/g, '$1 ')}${bic === '' ? '' : `\nBIC ${bic}`}`,
              margin: [0, 0, 0, 12],
            },
            { qr: toEpcPayload(billing, cents, number), eccLevel: 'M', fit: 110, alt: say('qr', { number }) },
          ]
        : []),
    ],
  }
}
