// Layout of all demo documents: A4, Barlow Condensed, a header band with court lines, a footer with the page number.
import { createRequire } from 'node:module'
import { join } from 'node:path'

// pdfmake's published types include browser types that conflict with Node's; only these few are needed.
export type Content = string | Content[] | { [property: string]: unknown }
interface Pdfmake {
  setFonts(fonts: Record<string, Record<string, string>>): void
  setUrlAccessPolicy(isAllowed: (url: string) => boolean): void
  setLocalAccessPolicy(isAllowed: (path: string) => boolean): void
  createPdf(definition: { content: Content[]; [property: string]: unknown }): { write(path: string): Promise<void> }
}
interface Placed {
  headlineLevel?: number
}

const require = createRequire(import.meta.url)
const pdfmake: Pdfmake = require('pdfmake')
const font = (weight: number, style = 'normal') => require.resolve(`@fontsource/barlow-condensed/files/barlow-condensed-latin-${weight}-${style}.woff`)

pdfmake.setFonts({
  Barlow: { normal: font(500), bold: font(700), italics: font(500, 'italic'), bolditalics: font(700, 'italic') },
})
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(path => path.endsWith('.woff'))

export const ink = '#10262a'
export const muted = '#55696c'
export const hall = '#0d4f55'
export const signal = '#c2410c'
export const rule = '#d9d5ca'

const band = (ground: string, high: number) =>
  `<svg viewBox="0 0 595 ${high}" width="595" height="${high}"><rect width="595" height="${high}" fill="${ground}"/><g fill="none" stroke-width="4">` +
  `<circle cx="520" cy="26" r="64" stroke="#f6c445"/><path d="M520 -10V${high}" stroke="#ffffff" stroke-opacity="0.3"/><path d="M0 ${high - 9}H595" stroke="#ffffff" stroke-opacity="0.22"/>` +
  `<path d="M418 -10V46Q418 ${high - 28} 476 ${high - 28}H605" stroke="#e8541a"/><path d="M442 -10V38Q442 ${high - 52} 486 ${high - 52}H605" stroke="#6fb3e6"/></g></svg>`

export interface Paper {
  language: 'de' | 'en'
  kicker: string
  title: string
  lead: string
  ground?: string
  /** Font size in points, reduced where a full page must fit on one page. */
  size?: number
  content: Content[]
}

export const heading = (text: string, colour = hall): Content => ({ text, font: 'Barlow', bold: true, fontSize: 17.5, color: colour, margin: [0, 14, 0, 4], headlineLevel: 1 })
export const paragraph = (text: Content): Content => ({ text, margin: [0, 0, 0, 5] })
export const bullets = (items: string[]): Content => ({ ul: items.map(text => ({ text, margin: [0, 0, 0, 2.5] })), markerColor: signal, margin: [0, 1, 0, 5] })

/** A large number with its unit or label. */
export const steps = (items: [string, string, string][], colour = hall): Content[] =>
  items.map(([mark, title, text]) => ({
    columns: [
      { width: 62, text: mark, bold: true, fontSize: 36, color: colour, lineHeight: 0.9 },
      { width: '*', stack: [{ text: title, bold: true, fontSize: 16, margin: [0, 1, 0, 1] }, { text }] },
    ],
    margin: [0, 8, 0, 7],
    unbreakable: true,
  }))

export const table = (widths: (number | string)[], head: string[], rows: Content[][], colour = hall): Content => ({
  table: {
    headerRows: 1,
    widths,
    dontBreakRows: true,
    body: [head.map(text => ({ text, bold: true, color: '#ffffff', fillColor: colour, margin: [2, 1, 2, 1] })), ...rows],
  },
  layout: {
    hLineWidth: (i: number, node: { table: { body: unknown[] } }) => (i > 1 && i < node.table.body.length ? 0.5 : 0), vLineWidth: () => 0, hLineColor: () => rule,
    paddingTop: () => 3.4, paddingBottom: () => 3.4, paddingLeft: () => 4, paddingRight: () => 4,
  },
  margin: [0, 2, 0, 8],
})

/** A highlighted box. */
export const note = (title: string, text: string): Content => ({
  table: { widths: ['*'], body: [[{ stack: [{ text: title, bold: true, fontSize: 15, color: hall, margin: [0, 0, 0, 2] }, { text }], fillColor: '#e3efee', margin: [10, 7, 10, 8] }]] },
  layout: 'noBorders',
  margin: [0, 10, 0, 4],
  unbreakable: true,
})

const address = 'Werksport · Fennmark Pumpen AG · Kesselstraße 8, 00210 Salzstadt · werksport@demo.example'
const words = {
  de: { page: 'Seite', of: 'von' },
  en: { page: 'Page', of: 'of' },
}

export async function print(fileName: string, paper: Paper): Promise<void> {
  const ground = paper.ground ?? hall
  const text = words[paper.language]
  const definition = {
    pageSize: 'A4',
    pageMargins: [48, 56, 48, 50],
    language: paper.language,
    info: { title: paper.title, author: 'Werksport', subject: paper.lead, creationDate: new Date(Date.UTC(2024, 7, 1)) },
    defaultStyle: { font: 'Barlow', fontSize: paper.size ?? 12.9, lineHeight: 1.2, color: ink },
    background: (page: number) => ({ svg: band(ground, page === 1 ? 172 : 26) }),
    pageBreakBefore: (node: Placed, nodes: { getFollowingNodesOnPage(): Placed[] }) => node.headlineLevel === 1 && nodes.getFollowingNodesOnPage().length < 3,
    footer: (page: number, pages: number) => ({
      margin: [48, 16, 48, 0],
      fontSize: 9,
      color: muted,
      columns: [{ text: address, width: '*' }, { text: `${text.page} ${page} ${text.of} ${pages}`, alignment: 'right', width: 80 }],
    }),
    content: [
      {
        absolutePosition: { x: 48, y: 34 },
        stack: [
          { text: paper.kicker, color: '#ffffff', fontSize: 11.5, margin: [0, 0, 0, 5] },
          { text: paper.title, color: '#ffffff', bold: true, fontSize: 32, lineHeight: 0.95, margin: [0, 0, 0, 5] },
          { text: paper.lead, color: '#ffffff', fontSize: 12, margin: [0, 0, 195, 0] },
        ],
      },
      { text: '', margin: [0, 0, 0, 106] },
      ...paper.content,
    ],
  }
  await pdfmake.createPdf(definition).write(join(import.meta.dirname, '../../demo/files', fileName))
}
