import { PUBLIC_PAGES, UNLISTED_PAGES } from '#contract/public-pages.ts'

/** robots.txt: allows public pages, excludes the API and personal pages. */
export function renderRobots(publicUrl: string): string {
  const personal = [
    '/api/',
    '/activate/',
    '/undo/',
    '/costs',
    '/courses/booked',
    '/courses/instructor',
    '/course-participation/',
    '/edit',
  ]
  const rules = [...personal, '/messages', '/password-change', '/sessions'].map(path => `Disallow: ${path}`)
  return ['User-agent: *', ...rules, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

const escapeXml = (text: string) => text.replace(/[&<>'"]/g, character => `&#${character.charCodeAt(0)};`)

/** sitemap.xml with the public routes and the detail pages of these courses. */
export function renderSitemap(publicUrl: string, courseIds: number[]): string {
  const pages = Object.keys(PUBLIC_PAGES).filter(path => !UNLISTED_PAGES.includes(path))
  const paths = [...pages, ...courseIds.map(id => `/course-details/${id}`)]
  const urls = paths.map(path => `<url><loc>${escapeXml(publicUrl + path)}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

/** Validity of security.txt in days, counted from each request. */
const VALID_DAYS = 180

/** security.txt (RFC 9116): contact for vulnerability reports. */
export function renderSecurityTxt(publicUrl: string, email: string, now: Date): string {
  const expires = new Date(now.getTime() + VALID_DAYS * 86_400_000)
  return [
    `Contact: mailto:${email}`,
    `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: de, en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
