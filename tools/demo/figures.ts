// Pictograms of people: a head and thick strokes for limbs. Poses are points in a body 100 units high, feet at 0, y
// upwards.
import { chance, circle, ellipse, group, type Point, stroke, through } from './drawing.ts'

type Limb = [joint: Point, end: Point]
interface Pose {
  head: Point
  chest: Point
  hip: Point
  /** The far limb first, the near one second. */
  arms: [Limb, Limb]
  legs: [Limb, Limb]
  /** Seen from the front: shoulders and hips apart. */
  front?: boolean
}

export interface Look {
  skin: string
  hair: string
  style: 'short' | 'bun' | 'long' | 'cap' | 'scarf' | 'none'
  top: string
  bottom: string
  bareLegs: boolean
}

export const poses = {
  stand: { head: [0, 92], chest: [0, 73], hip: [0, 50], arms: [[[-15, 60], [-14, 46]], [[15, 60], [14, 46]]], legs: [[[-6, 27], [-7, 4]], [[6, 27], [7, 4]]], front: true },
  cheer: { head: [0, 92], chest: [0, 73], hip: [0, 50], arms: [[[-17, 86], [-15, 104]], [[15, 60], [12, 48]]], legs: [[[-6, 27], [-8, 4]], [[6, 27], [8, 4]]], front: true },
  reach: { head: [0, 92], chest: [0, 73], hip: [0, 50], arms: [[[-17, 88], [-13, 106]], [[17, 88], [13, 106]]], legs: [[[-8, 27], [-11, 4]], [[8, 27], [11, 4]]], front: true },
  star: { head: [0, 90], chest: [0, 71], hip: [0, 48], arms: [[[-20, 82], [-32, 96]], [[20, 82], [32, 96]]], legs: [[[-13, 27], [-22, 4]], [[13, 27], [22, 4]]], front: true },
  bend: { head: [9, 90], chest: [4, 72], hip: [0, 49], arms: [[[-10, 84], [6, 104]], [[15, 58], [12, 46]]], legs: [[[-8, 27], [-11, 4]], [[8, 27], [11, 4]]], front: true },
  run: { head: [13, 91], chest: [7, 73], hip: [0, 51], arms: [[[20, 62], [31, 71]], [[-10, 64], [-13, 48]]], legs: [[[-9, 31], [-29, 27]], [[18, 40], [15, 16]]] },
  sprint: { head: [16, 88], chest: [10, 71], hip: [0, 50], arms: [[[-6, 66], [-16, 54]], [[25, 62], [34, 74]]], legs: [[[18, 44], [8, 22]], [[-12, 34], [-26, 14]]] },
  walk: { head: [5, 92], chest: [3, 74], hip: [0, 51], arms: [[[-10, 62], [-17, 52]], [[15, 64], [25, 61]]], legs: [[[-4, 28], [-17, 6]], [[10, 29], [17, 4]]] },
  lunge: { head: [0, 80], chest: [0, 61], hip: [0, 38], arms: [[[5, 80], [6, 99]], [[5, 80], [9, 99]]], legs: [[[-15, 15], [-34, 6]], [[21, 35], [22, 4]]] },
  squat: { head: [9, 70], chest: [3, 53], hip: [-11, 32], arms: [[[18, 54], [33, 57]], [[18, 53], [34, 56]]], legs: [[[13, 33], [3, 4]], [[15, 32], [6, 4]]] },
  plank: { head: [49, 37], chest: [32, 31], hip: [2, 23], arms: [[[31, 12], [44, 4]], [[33, 12], [47, 4]]], legs: [[[-22, 16], [-48, 6]], [[-23, 15], [-50, 6]]] },
  bridge: { head: [-47, 8], chest: [-30, 13], hip: [-2, 30], arms: [[[-18, 6], [-4, 4]], [[-18, 6], [-4, 4]]], legs: [[[22, 33], [25, 4]], [[22, 33], [27, 4]]] },
  warrior: { head: [0, 84], chest: [0, 66], hip: [0, 42], arms: [[[-19, 68], [-37, 68]], [[19, 68], [37, 68]]], legs: [[[-20, 25], [-41, 5]], [[22, 39], [23, 4]]], front: true },
  tree: { head: [0, 92], chest: [0, 73], hip: [0, 50], arms: [[[-15, 92], [-1, 111]], [[15, 92], [1, 111]]], legs: [[[-1, 27], [-1, 4]], [[19, 41], [3, 29]]], front: true },
  sit: { head: [0, 52], chest: [0, 33], hip: [0, 10], arms: [[[-15, 24], [-19, 13]], [[15, 24], [19, 13]]], legs: [[[-21, 9], [-3, 5]], [[21, 9], [3, 5]]], front: true },
  row: { head: [-4, 47], chest: [-3, 29], hip: [2, 8], arms: [[[-14, 27], [-27, 26]], [[-14, 26], [-27, 25]]], legs: [[[-14, 22], [-27, 7]], [[-13, 22], [-26, 7]]] },
  paddle: { head: [7, 91], chest: [4, 73], hip: [0, 51], arms: [[[17, 80], [15, 94]], [[17, 60], [23, 53]]], legs: [[[-3, 28], [-9, 4]], [[8, 28], [7, 4]]] },
  spike: { head: [5, 103], chest: [3, 84], hip: [0, 62], arms: [[[16, 80], [24, 70]], [[12, 107], [22, 123]]], legs: [[[7, 40], [-6, 24]], [[-4, 42], [-21, 32]]] },
  block: { head: [0, 100], chest: [0, 81], hip: [0, 58], arms: [[[-13, 100], [-9, 120]], [[13, 100], [9, 120]]], legs: [[[-5, 36], [-9, 15]], [[5, 36], [3, 14]]], front: true },
  dig: { head: [11, 73], chest: [5, 56], hip: [-8, 37], arms: [[[18, 47], [33, 46]], [[19, 46], [34, 45]]], legs: [[[-15, 23], [-24, 4]], [[9, 28], [3, 4]]] },
  smash: { head: [6, 89], chest: [4, 71], hip: [0, 48], arms: [[[-10, 78], [-22, 86]], [[16, 86], [25, 99]]], legs: [[[-11, 27], [-22, 5]], [[15, 29], [25, 4]]] },
} satisfies Record<string, Pose>

export type PoseName = keyof typeof poses

const skins = ['#f2c9a1', '#e0ac7e', '#c68a5b', '#8d5a3a', '#6b4129', '#f6d7b8']
const hairs = ['#2b1d16', '#4a2f1d', '#7a4a26', '#b5762f', '#d8b26a', '#c9c9c9', '#1a1a1f']
const tops = ['#e8541a', '#f6c445', '#3d8fd1', '#b3345f', '#5d8a3a', '#f6f4ef', '#5a4b9a', '#0d4f55']
const bottoms = ['#10262a', '#083a3f', '#2b3a55', '#3a2b3f', '#10262a']
const styles: Look['style'][] = ['short', 'bun', 'long', 'short', 'cap', 'scarf', 'short', 'none']

/** Group of different people; the same seed produces the same group. */
export function people(seed: number): () => Look {
  const random = chance(seed)
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  let previous = ''
  return () => {
    let top = pick(tops)
    while (top === previous) top = pick(tops)
    previous = top
    return { skin: pick(skins), hair: pick(hairs), style: pick(styles), top, bottom: pick(bottoms), bareLegs: random() < 0.45 }
  }
}

const darker = (colour: string) => {
  const channels = [1, 3, 5].map(at => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * 0.78))
  return `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

function head([x, y]: Point, look: Look): string {
  const r = 8.2
  const face = circle(x, y, r, look.skin)
  const cover = look.style === 'cap' ? look.top : look.hair
  const edge = `M${x - r - 0.3} ${y - 0.8}A${r + 0.3} ${r + 0.3} 0 0 0 ${x + r + 0.3} ${y - 0.8}`
  const crown = `<path d="${edge}C${x + r * 0.4} ${y + r * 0.55} ${x - r * 0.5} ${y + r * 0.25} ${x - r - 0.3} ${y - 0.8}Z" fill="${cover}"/>`
  if (look.style === 'none') return face
  if (look.style === 'cap') return face + crown + stroke(`M${x + 2} ${y + 3}L${x + r + 4.5} ${y + 2.4}`, look.top, 2.4)
  if (look.style === 'scarf') return circle(x, y, r + 1.4, darker(look.top)) + circle(x + 1.6, y - 0.5, r - 2, look.skin)
  const behind = look.style === 'long' ? stroke(`M${x - 4} ${y + 2}L${x - 7} ${y - 12}`, look.hair, 8) : ''
  const bun = look.style === 'bun' ? circle(x - 5.5, y + 8.4, 4, look.hair) : ''
  return behind + bun + face + crown
}

/** One person. `tint` paints everything in one colour, for shadows and silhouettes. */
export function figure(name: PoseName, x: number, y: number, size: number, look: Look, options: { flip?: boolean; turn?: number; tint?: string } = {}): string {
  const pose: Pose = poses[name]
  const worn: Look = options.tint ? { ...look, skin: options.tint, hair: options.tint, top: options.tint, bottom: options.tint } : look
  const dim = options.tint ? (colour: string) => colour : darker
  const apart = (index: number, by: number) => (pose.front ? (index === 0 ? -by : by) : 0)
  const leg = (index: 0 | 1) => {
    const [knee, foot] = pose.legs[index]
    const start: Point = [pose.hip[0] + apart(index, 4.5), pose.hip[1]]
    const tone = (colour: string) => (index === 0 && !pose.front ? dim(colour) : colour)
    const toe: Point = [foot[0] + (pose.front ? apart(index, 3) : 6), Math.max(2.5, foot[1] - 1.5)]
    return (
      stroke(through([start, knee, foot]), tone(worn.bareLegs ? worn.skin : worn.bottom), 8.6) +
      (worn.bareLegs ? stroke(through([start, [(start[0] + knee[0] * 2) / 3, (start[1] + knee[1] * 2) / 3]]), tone(worn.bottom), 10.6) : '') +
      stroke(through([foot, toe]), options.tint ?? (index === 0 ? '#dfe5e2' : '#ffffff'), 6.4)
    )
  }
  const arm = (index: 0 | 1) => {
    const [elbow, hand] = pose.arms[index]
    const start: Point = [pose.chest[0] + apart(index, 8), pose.chest[1] + 4]
    const tone = (colour: string) => (index === 0 && !pose.front ? dim(colour) : colour)
    return stroke(through([start, elbow, hand]), tone(worn.skin), 6.4) + stroke(through([start, [(start[0] + elbow[0] * 2) / 3, (start[1] + elbow[1] * 2) / 3]]), tone(worn.top), 7.8)
  }
  const torso = pose.front
    ? stroke(`${through([[pose.chest[0] - 6, pose.chest[1] + 2], [pose.chest[0] + 6, pose.chest[1] + 2], [pose.hip[0] + 4, pose.hip[1] + 1], [pose.hip[0] - 4, pose.hip[1] + 1]])}Z`, worn.top, 9, { fill: worn.top })
    : stroke(through([pose.chest, pose.hip]), worn.top, 18)
  const waist = stroke(through([[pose.hip[0] - (pose.front ? 4 : 1), pose.hip[1]], [pose.hip[0] + (pose.front ? 4 : 1), pose.hip[1]]]), worn.bottom, pose.front ? 10 : 14)
  const neck = stroke(through([pose.chest, [pose.chest[0] + (pose.head[0] - pose.chest[0]) * 0.7, pose.chest[1] + (pose.head[1] - pose.chest[1]) * 0.7]]), worn.skin, 6)
  const body = arm(0) + leg(0) + leg(1) + waist + neck + torso + head(pose.head, worn) + arm(1)
  const scale = size / 100
  const turn = options.turn ? ` rotate(${options.turn})` : ''
  return group(body, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})${turn} scale(${((options.flip ? -1 : 1) * scale).toFixed(3)} ${(-scale).toFixed(3)})` })
}

/** Shadow below a person. */
export const footprint = (x: number, y: number, size: number, strength = 0.22) => ellipse(x, y, size * 0.26, size * 0.045, '#000000', { opacity: strength })
