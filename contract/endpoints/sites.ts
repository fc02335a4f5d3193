import * as v from 'valibot'

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
const inBoth = v.strictObject({ de: text, en: text })
const length = v.pipe(v.number(), v.minValue(0))
/** Path data of an SVG `path`. Only absolute and relative lines are allowed, so that nothing else can be injected. */
const path = v.pipe(text, v.regex(/^[MLHVZmlhvz\d\s.,-]+$/, 'must be lines of SVG path data as in M0 120H360'))

const place = v.strictObject({
  kind: v.picklist(['hall', 'outdoor', 'changing', 'gate', 'building', 'water']),
  name: inBoth,
  /** venue names of the courses that are held in this building or area */
  venues: v.optional(v.array(text), []),
  /** left, top, width, height */
  box: v.tuple([length, length, length, length]),
})

/** Plans of the company's sites, read from `branding/sites.json` at startup. Lengths are in units of the drawing. */
export const sites = v.array(
  v.strictObject({
    name: inBoth,
    width: length,
    height: length,
    roads: v.array(path),
    /** step-free paths through the site */
    stepFree: v.array(path),
    places: v.array(place),
  }),
)
export type Site = v.InferOutput<typeof sites>[number]
