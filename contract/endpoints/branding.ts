import * as v from 'valibot'

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
const inBoth = v.strictObject({ de: text, en: text })
const email = v.pipe(text, v.email('must be an e-mail address'))
const link = v.pipe(text, v.regex(/^https?:\/\/\S+$/, 'must be an address as in https://example.org/'))
const time = v.pipe(text, v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as in 08:00'))
const year = v.pipe(v.number(), v.integer(), v.minValue(1900), v.maxValue(2999))
const fileName = v.pipe(
  text,
  v.regex(/^[\w-]+\.(?:svg|png|webp|jpe?g)$/, 'must be the name of a picture as in logo.svg'),
)
const color = v.pipe(text, v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour as in #0d4f55'))
const inSchemes = v.strictObject({ light: color, dark: color })

export const TEAM_GROUPS = ['leadership', 'coordination', 'decentral', 'certification'] as const

/** Operator and appearance of this portal, read from `branding/branding.json` at startup (see branding/README.md). */
export const branding = v.strictObject({
  /** product name, shown in the header and in e-mails */
  portalName: v.pipe(text, v.maxLength(30, 'must have at most 30 characters')),
  name: text,
  groupName: text,
  department: inBoth,
  street: text,
  zip: text,
  city: text,
  country: inBoth,
  visitorAddress: v.strictObject({ street: text, zip: text, city: text, room: inBoth }),
  phone: text,
  email,
  privacyEmail: email,
  website: link,
  socialMedia: v.strictObject({ name: text, url: link }),
  officeHours: v.array(v.strictObject({ days: inBoth, from: time, to: time })),
  responsiblePerson: text,
  /** members of the executive board, starting with the chairperson */
  executiveBoard: v.pipe(v.array(text), v.nonEmpty('must name somebody')),
  supervisoryBoardChair: text,
  registerCourt: text,
  registerNumber: text,
  vatId: text,
  dataProtectionOfficer: text,
  realization: inBoth,
  /** the programme's lead health insurer, whose members may participate */
  healthInsurer: text,
  /** copyright year in the footer of every page; the legal notice states its own year */
  copyrightYear: year,
  inprintCopyrightYear: year,
  /** logo files in branding/logos */
  divisions: v.array(v.strictObject({ name: text, logo: fileName })),
  /** team members with portraits in branding/team; `isOnLeave` marks parental leave */
  team: v.array(
    v.strictObject({
      group: v.picklist(TEAM_GROUPS, `must be one of ${TEAM_GROUPS.join(', ')}`),
      name: text,
      role: inBoth,
      phone: text,
      email,
      portrait: fileName,
      isOnLeave: v.boolean(),
    }),
  ),
  /**
   * `link`: colour of links; `action`: background of primary buttons; `actionText`: the same colour when used for text
   */
  colors: v.strictObject({
    brand: inSchemes,
    brandSoft: inSchemes,
    link: inSchemes,
    action: inSchemes,
    actionText: inSchemes,
    highlight: inSchemes,
  }),
  /**
   * texts in which the placeholders `{{portal}}`, `{{company}}`, `{{department}}` and `{{email}}` are replaced by the
   * values above
   */
  texts: v.strictObject({
    appName: inBoth,
    appDescription: inBoth,
    pageDescription: inBoth,
    mailClosing: inBoth,
    mailFooter: inBoth,
    /** label of the SSO button, which is shown if single sign-on is enabled */
    companyLogin: v.optional(inBoth, {
      de: 'Mit dem Konto der Firma anmelden',
      en: 'Log in with your company account',
    }),
  }),
})
export type Branding = v.InferOutput<typeof branding>

export type AppBranding = Omit<Branding, 'colors' | 'texts'>
