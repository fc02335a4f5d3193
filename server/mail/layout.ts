import { company } from '#contract/company.ts'
import type { Language } from '#contract/values.ts'
import { escapeHtml } from '#contract/words.ts'
import { translate } from '#server/texts/translate.ts'
import type { MailContent } from './contents.ts'

/** The lines around every mail. */
function frameOf(language: Language, { name }: MailContent): { greeting: string; closing: string; footer: string } {
  const department = company.department[language]
  return {
    greeting: name ? translate(language, 'mail.greeting', { name }) : translate(language, 'mail.greetingStranger'),
    closing: translate(language, 'mail.closing', { portal: company.portalName }),
    footer: translate(language, 'mail.footer', { company: company.name, department, email: company.email }),
  }
}

/** A mail as plain text. */
export function layOutText(language: Language, content: MailContent): string {
  const { greeting, closing, footer } = frameOf(language, content)
  const facts = content.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const link = content.link ? `${content.link.label}: ${content.link.url}` : ''
  const [first = '', ...rest] = content.paragraphs
  const blocks = [greeting, first, facts, link, ...rest, closing, `-- \n${footer}`]
  return `${blocks.filter(block => block !== '').join('\n\n')}\n`
}

const style = {
  body: 'margin:0;padding:16px;background:#f2f5f4;color:#17211f;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif',
  sheet: 'max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:12px',
  brand: 'margin:0 0 20px;color:#155d62;font-size:20px;font-weight:700',
  paragraph: 'margin:0 0 16px',
  facts: 'margin:0 0 20px;padding:12px 16px;background:#eaf3f2;border-radius:8px',
  label: 'margin:0;color:#51605c;font-size:14px',
  value: 'margin:0 0 8px;font-weight:600;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:13px 22px;background:#155d62;color:#fff;border-radius:8px;font-weight:600;text-decoration:none',
  address: 'margin:-8px 0 20px;color:#51605c;font-size:13px;overflow-wrap:anywhere',
  footer: 'max-width:560px;margin:16px auto 0;color:#51605c;font-size:13px',
}
/** A style as an attribute: its quotes are the one thing in it that an attribute cannot hold. */
const styled = (name: keyof typeof style) => `style="${style[name].replaceAll('"', "'")}"`

/** A mail as HTML: one column of plain blocks, which a phone shows as it is. */
export function layOutHtml(language: Language, content: MailContent): string {
  const { greeting, closing, footer } = frameOf(language, content)
  const paragraph = (text: string) => `<p ${styled('paragraph')}>${escapeHtml(text)}</p>`
  const facts = content.facts.map(
    ([label, value]) => `<p ${styled('label')}>${escapeHtml(label)}</p><p ${styled('value')}>${escapeHtml(value)}</p>`,
  )
  const link = content.link && {
    button: `<a href="${escapeHtml(content.link.url)}" ${styled('button')}>${escapeHtml(content.link.label)}</a>`,
    address: escapeHtml(content.link.url),
  }
  const [first = '', ...rest] = content.paragraphs
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(content.subject)}</title></head>`,
    `<body ${styled('body')}><div ${styled('sheet')}>`,
    `<p ${styled('brand')}>${escapeHtml(company.portalName)}</p>`,
    paragraph(greeting),
    paragraph(first),
    facts.length > 0 ? `<div ${styled('facts')}>${facts.join('')}</div>` : '',
    link ? `<p ${styled('paragraph')}>${link.button}</p><p ${styled('address')}>${link.address}</p>` : '',
    ...rest.map(paragraph),
    paragraph(closing),
    `</div><p ${styled('footer')}>${escapeHtml(footer)}</p></body></html>`,
  ].join('\n')
}
