// Portraits of instructors: heads and shoulders in few shapes, in front of the court line of their sport.
import { circle, colours, element, ellipse, group, polygon, range, rect, shape, stroke, wave } from './drawing.ts'

type Hair = 'short' | 'parted' | 'bun' | 'long' | 'bob' | 'curls' | 'bald' | 'tail' | 'swimcap' | 'beanie' | 'round' | 'scarf' | 'waves'
type Line = 'ring' | 'path' | 'lanes' | 'pulse' | 'waves' | 'rings' | 'court'

interface Portrait {
  ground: string
  line: Line
  skin: string
  hair: string
  style: Hair
  shirt: string
  trim: string
  glasses?: boolean
  beard?: boolean
  earrings?: boolean
}

export const portraits: Record<string, Portrait> = {
  ines: { ground: colours.rust, line: 'court', skin: '#f0c6a0', hair: '#6b3f22', style: 'tail', shirt: colours.hall, trim: colours.sun },
  tomke: { ground: '#4c7a2c', line: 'path', skin: '#f3d0b0', hair: '#d8a657', style: 'bob', shirt: colours.sun, trim: colours.hall },
  levin: { ground: '#7a2e12', line: 'ring', skin: '#7a4a2e', hair: '#1d1512', style: 'round', shirt: colours.signal, trim: colours.paper, beard: true },
  renate: { ground: colours.blue, line: 'waves', skin: '#efc8a8', hair: colours.sun, style: 'swimcap', shirt: colours.deep, trim: colours.sky, earrings: true },
  aylin: { ground: colours.plum, line: 'lanes', skin: '#dba57a', hair: '#231815', style: 'bun', shirt: '#f3d5df', trim: colours.plum, earrings: true },
  bjoern: { ground: '#9a6700', line: 'pulse', skin: '#f1cba8', hair: '#b9b4ac', style: 'short', shirt: colours.ink, trim: colours.signal, beard: true, glasses: true },
  magda: { ground: '#6a4b8a', line: 'rings', skin: '#f4d3b8', hair: '#a2452a', style: 'long', shirt: '#e9dff3', trim: colours.violet },
  piet: { ground: '#1f5f7a', line: 'waves', skin: '#e8b78e', hair: '#c9c4bb', style: 'beanie', shirt: colours.paper, trim: colours.blue, beard: true },
  noemi: { ground: '#3b6a4a', line: 'ring', skin: '#8d5a3a', hair: '#20161a', style: 'curls', shirt: colours.sun, trim: colours.rust, glasses: true, earrings: true },
  sibel: { ground: '#a02c5a', line: 'rings', skin: '#d99f72', hair: '#2a1a17', style: 'waves', shirt: colours.ink, trim: colours.sun, earrings: true },
  gregor: { ground: '#2f5a3a', line: 'court', skin: '#f0c9a8', hair: '#8b5a34', style: 'bald', shirt: colours.paper, trim: colours.moss, glasses: true },
  hanna: { ground: '#5a4b9a', line: 'rings', skin: '#f6d9c2', hair: '#e6cf9a', style: 'parted', shirt: '#c9d6ea', trim: colours.violet },
  marek: { ground: colours.hall, line: 'court', skin: '#eebf98', hair: '#3a2a20', style: 'short', shirt: colours.signal, trim: colours.sun, beard: true },
  yuki: { ground: '#4f5fa5', line: 'path', skin: '#f0cda6', hair: '#17161a', style: 'bob', shirt: '#dfe9e2', trim: colours.hall },
  charlotte: { ground: '#0d5a4f', line: 'lanes', skin: '#f2cdb0', hair: '#d9d6d0', style: 'parted', shirt: colours.berry, trim: colours.paper, glasses: true, earrings: true },
  mehdi: { ground: '#b0521a', line: 'pulse', skin: '#c98f62', hair: '#1f1816', style: 'parted', shirt: '#dfeeee', trim: colours.hall, beard: true },
}

const darker = (colour: string, by = 0.86) =>
  `#${[1, 3, 5].map(at => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * by).toString(16).padStart(2, '0')).join('')}`

const lines: Record<Line, () => string> = {
  ring: () => circle(410, 210, 190, 'none', { stroke: '#fff', 'stroke-width': 10 }) + stroke('M410 -20V640M-20 430H640', '#fff', 10),
  path: () => stroke('M-20 470Q140 180 330 330T640 120M-20 380Q140 90 330 240T640 30M-20 560Q140 270 330 420T640 210', '#fff', 10),
  lanes: () => stroke('M90 -20V260A210 210 0 0 0 510 260V-20M170 -20V260A130 130 0 0 0 430 260V-20', '#fff', 10),
  pulse: () => stroke('M-20 300H110L150 220L220 420L300 80L380 380L430 260L470 300H640', '#fff', 10),
  waves: () => range(5).map(i => stroke(wave(-20, 640, 110 + i * 90, 150, 34), '#fff', 10)).join(''),
  rings: () => range(4).map(i => circle(300, 250, 130 + i * 70, 'none', { stroke: '#fff', 'stroke-width': 10 })).join(''),
  court: () => stroke('M-20 110H380Q520 110 520 250V640M-20 190H350Q440 190 440 280V640', '#fff', 10) + circle(130, 420, 130, 'none', { stroke: '#fff', 'stroke-width': 10 }),
}

function behind({ style, hair }: Portrait): string {
  switch (style) {
    case 'long': return shape('M190 240Q180 110 300 110T410 240L428 470Q300 520 172 470Z', hair)
    case 'waves': return shape('M186 240Q170 104 300 104T414 240Q470 300 430 360Q470 420 424 474Q300 540 176 474Q130 420 170 360Q130 300 186 240Z', hair)
    case 'bob': return shape('M186 250Q178 112 300 112T414 250L418 356Q300 396 182 356Z', hair)
    case 'tail': return shape('M380 170Q480 190 462 330Q452 430 400 470Q430 350 380 250Z', hair)
    case 'round': return circle(300, 214, 140, hair)
    case 'curls': return range(13).map(i => circle(300 + Math.cos((i / 12) * Math.PI * 1.3 - Math.PI * 1.15) * 118, 246 + Math.sin((i / 12) * Math.PI * 1.3 - Math.PI * 1.15) * 124, 52, hair)).join('')
    default: return ''
  }
}

function inFront({ style, hair }: Portrait): string {
  const crown = 'M206 246Q196 128 300 126T394 246Q390 206 366 188Q300 168 234 188Q210 206 206 246Z'
  switch (style) {
    case 'short': return shape(crown, hair)
    case 'parted': return shape('M204 262Q188 122 306 122T396 262Q394 216 366 190Q300 206 252 176Q222 204 204 262Z', hair)
    case 'bun': return circle(300, 112, 46, hair) + shape(crown, hair)
    case 'long': return shape('M204 270Q192 124 300 124T396 270Q388 200 316 168Q250 196 204 270Z', hair)
    case 'waves': return shape('M204 280Q190 122 296 122T398 270Q380 216 330 168Q262 190 204 280Z', hair)
    case 'bob': return shape('M204 240Q196 126 300 124T396 240Q394 216 388 206Q300 220 212 206Q206 220 204 240Z', hair)
    case 'tail': return shape('M206 250Q196 124 302 124T396 240Q386 196 350 178Q270 176 206 250Z', hair)
    case 'round': return shape(crown, hair)
    case 'curls': return range(7).map(i => circle(222 + i * 26, 164 - Math.sin((i / 6) * Math.PI) * 30, 34, hair)).join('')
    case 'bald': return shape('M205 268Q196 236 212 206Q216 240 214 276ZM395 268Q404 236 388 206Q384 240 386 276Z', hair)
    case 'swimcap': return shape('M200 232Q194 112 300 112T400 232Q300 190 200 232Z', hair) + stroke('M212 190Q300 150 388 190', colours.deep, 9) + ellipse(264, 170, 30, 20, colours.sky, { stroke: colours.deep, 'stroke-width': 8 }) + ellipse(336, 170, 30, 20, colours.sky, { stroke: colours.deep, 'stroke-width': 8 })
    case 'beanie': return shape('M198 214Q194 92 300 92T402 214Z', colours.deep) + rect(190, 186, 220, 44, colours.hall, { rx: 18 }) + range(9).map(i => stroke(`M${206 + i * 24} 192V224`, '#ffffff', 3, { opacity: 0.25 })).join('')
    default: return ''
  }
}

export function portrait(look: Portrait): string {
  const { skin } = look
  const shadow = darker(skin)
  const ink = '#2a1c18'
  const eyes = circle(262, 258, 8.5, ink) + circle(338, 258, 8.5, ink) + stroke('M244 232Q262 222 280 231M320 231Q338 222 356 232', look.style === 'swimcap' || look.style === 'beanie' ? '#6b5a4c' : darker(look.hair, 0.8), 7)
  const beard = look.beard ? shape('M210 268Q210 366 300 370T390 268Q384 304 352 306Q300 292 248 306Q216 304 210 268Z', look.hair) : ''
  const mouth = look.beard ? stroke('M272 322Q300 342 328 322', '#fff6ee', 8) : stroke('M266 310Q300 340 334 310', '#8f3a34', 8)
  const glasses = look.glasses ? circle(262, 258, 33, 'none', { stroke: ink, 'stroke-width': 7 }) + circle(338, 258, 33, 'none', { stroke: ink, 'stroke-width': 7 }) + stroke('M295 254Q300 250 305 254M229 252L210 246M371 252L390 246', ink, 7) : ''
  const earrings = look.earrings ? circle(202, 304, 9, colours.sun) + circle(398, 304, 9, colours.sun) : ''
  const body =
    shape('M60 620Q64 446 214 416L386 416Q536 446 540 620Z', look.shirt) + stroke('M74 530Q190 514 250 620M526 530Q410 514 350 620', look.trim, 16, { 'stroke-linecap': 'butt' }) +
    shape('M236 414Q300 486 364 414L352 396H248Z', skin) + stroke('M234 416Q300 494 366 416', look.trim, 12)
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 600 600', width: 600, height: 600 },
    rect(0, 0, 600, 600, look.ground) + group(lines[look.line](), { opacity: 0.26 }) + polygon([[0, 600], [600, 380], [600, 600]], '#000000', { opacity: 0.1 }) +
    behind(look) + body + rect(254, 322, 92, 106, skin, { rx: 40 }) + shape('M254 350Q300 400 346 350V372Q300 426 254 372Z', shadow) +
    ellipse(206, 270, 18, 26, shadow) + ellipse(394, 270, 18, 26, shadow) + shape('M206 236Q206 140 300 140T394 236V270Q390 368 300 372Q210 368 206 270Z', skin) +
    circle(240, 298, 20, '#d9583a', { opacity: 0.14 }) + circle(360, 298, 20, '#d9583a', { opacity: 0.14 }) +
    eyes + stroke('M300 262Q312 288 296 290', shadow, 7) + beard + mouth + glasses + earrings + inFront(look))
}
