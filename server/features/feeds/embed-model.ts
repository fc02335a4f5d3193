import type { PublicCourse } from '#contract/feeds.ts'
import type { Language } from '#contract/values.ts'
import { escapeHtml, sortWeekdays } from '#contract/words.ts'
import { translate } from '#server/texts/translate.ts'

const dayName = (day: number, language: Language) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2023, 0, 1 + day)))
const dateIn = (language: Language, date: string) =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )

const styleOf = (color: string) =>
  `body{margin:0;padding:1rem;font:1rem/1.4 system-ui,sans-serif;color:#1b2a2b;background:#fff}h1{font-size:1.2rem;margin:0 0 .75rem}ul{list-style:none;margin:0;padding:0}li{padding:.6rem 0;border-top:.06rem solid #d5dedd}a{color:${color};font-weight:600}p{margin:.15rem 0 0}`

/** Embeddable page with the programme. Links open in a new tab, because bookings must not take place in a frame. */
export function embedPage(
  courses: readonly PublicCourse[],
  { language, title, color }: { language: Language; title: string; color: string },
): { html: string; style: string } {
  const say = (key: string, values: Record<string, string | number> = {}) => translate(language, `feeds.${key}`, values)
  const style = styleOf(color)
  const pick = (text: string, text2: string) => (language === 'en' && text2 ? text2 : text)
  const rows = courses.map(course => {
    const days = sortWeekdays(course.weekdays).map(day => dayName(day, language))
    const when = `${days.join(', ')} ${course.startTime}–${course.endTime}, ${say('from', { date: dateIn(language, course.start) })}`
    const where = [...new Set([course.venue, course.city])].filter(Boolean).join(', ')
    const places = course.cancelled
      ? say('cancelled')
      : course.freePlaces > 0
        ? say('free', { count: course.freePlaces })
        : say('full')
    return `<li><a href="${escapeHtml(course.url)}" target="_blank" rel="noopener">${escapeHtml(pick(course.name, course.name2))}</a><p>${escapeHtml(when)}</p><p>${escapeHtml([where, places].filter(Boolean).join(' · '))}</p></li>`
  })
  const list = rows.length > 0 ? `<ul>${rows.join('')}</ul>` : `<p>${say('none')}</p>`
  const heading = escapeHtml(say('title', { portal: title }))
  return {
    style,
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${heading}</title><style>${style}</style></head><body><main><h1>${heading}</h1>${list}</main></body></html>`,
  }
}
