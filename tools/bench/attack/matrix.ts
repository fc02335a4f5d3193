import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Person, Target } from './fixture.ts'
import { type AttackResult, createAttackResult } from './report.ts'

type Parts = { params?: Record<string, string | number>; query?: Record<string, string>; body?: object }
type Answer = { status: number; text: string }

export async function sendAs(target: Target, endpoint: Endpoint, token: string | null, parts: Parts): Promise<Answer> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts.params?.[name] ?? ''))
  const response = await fetch(`${target.portal.url}${path}?${new URLSearchParams(parts.query)}`, {
    method: endpoint.method,
    headers: {
      'Content-Type': 'application/json',
      Cookie: 'XSRF-TOKEN=a',
      'X-XSRF-TOKEN': 'a',
      ...(token !== null && { SessionToken: token }),
    },
    ...(endpoint.body && { body: JSON.stringify(parts.body ?? {}) }),
  })
  const content = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status: response.status, text: `${JSON.stringify([...response.headers])} ${content}` }
}

const GUEST = '5b3f6a52-6c0e-4d5b-9a51-0d8a1c7d2e11'

/** Endpoints that the test users do not call, because they would destroy test data needed by other cases. */
const ENDING = ['deleteAccount', 'logout', 'endOtherSessions', 'endSession', 'changePassword', 'editWebUser']

/** Parameters and bodies to call an endpoint with: ids of own, foreign, unpublished and nonexistent objects. */
function partsOf(target: Target, name: string, endpoint: Endpoint): Parts[] {
  const ids = [target.courseId, target.courseId + 1, target.messageId, target.privateAlbumId, 0, 2_147_483_647]
  const { courseId, courseDateId, participantId } = target
  const bodies: Record<string, object> = {
    changePresence: { changeState: 'added', courseDateId, webUserId: participantId },
    noteDoorGuest: { changeState: 'deleted', guestId: GUEST, courseDateId, name: 'Gast' },
    completeParticipation: { courseId, isCompleted: false },
    bookCourse: { id: courseId },
    cancelCourse: { id: 2_147_483_647 },
    register: { email: 'neu@ziel.example', password: 'x', confirmPassword: 'y' },
    login: { userName: target.people.participant.email, password: 'falsch-falsch', keepSession: false },
    checkEmailPassword: { email: target.people.participant.email, password: 'x', confirmPassword: 'x' },
    resetPassword: { userName: 'niemand@ziel.example' },
    reportClientError: { message: 'm', stack: '', route: '/', release: '1' },
  }
  if (endpoint.body) return [{ body: bodies[name] ?? {} }]
  const parameters = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
  if (parameters.length === 0) return [{}]
  const values = parameters.includes('userName') ? [target.people.participant.email] : ids
  return values.map(value => ({ params: Object.fromEntries(parameters.map(parameter => [parameter, value])) }))
}

/** Finds personal data of other users in a response. */
function leakIn(target: Target, caller: Person | null, { text }: Answer): string | null {
  const others = Object.values(target.people).filter(({ name }) => name !== caller?.name)
  const found = others.find(({ secret }) => text.includes(secret))
  if (found) return `a secret of ${found.name}`
  const teachesIt = caller?.name === 'otherTeacher'
  if (!teachesIt && text.includes(target.hiddenNumber)) return 'a course that nobody may see yet'
  const mayEnter = ['participant', 'teacher'].includes(caller?.name ?? '')
  return !mayEnter && text.includes('CANARYROOM') ? 'the online room' : null
}

/** Tests access control: calls every endpoint as every caller with every object, with canary values in all fields. */
export async function attackMatrix(target: Target): Promise<AttackResult> {
  const { outcome, note } = createAttackResult('role × endpoint × object')
  const callers: [string, Person | null, string | null][] = [
    ['nobody', null, null],
    ['an unknown token', null, 'A'.repeat(43)],
    ...Object.values(target.people).map((person): [string, Person, string] => [person.name, person, person.token]),
  ]
  for (const [name, endpoint] of Object.entries(endpoints)) {
    for (const [who, person, token] of callers) {
      if (person && ENDING.includes(name)) continue
      for (const parts of partsOf(target, name, endpoint)) {
        const answer = await sendAs(target, endpoint, token, parts)
        const at = `${name} ${JSON.stringify(parts)} by ${who}`
        const isProtected = endpoint.access === 'session' || endpoint.access === 'instructor'
        if (isProtected && person === null && answer.status !== 401) note(`${at}: ${answer.status} in place of 401`)
        else if (answer.status >= 500) note(`${at}: ${answer.status}`)
        else {
          const leak = leakIn(target, person, answer)
          note(leak && `${at}: ${leak}`)
        }
      }
    }
  }
  await attackForeignObjects(target, note)
  return outcome
}

async function attackForeignObjects(target: Target, note: (failure: string | null) => void): Promise<void> {
  const { people, courseId, courseDateId, participantId, messageId, privateAlbumId } = target
  const presence = { changeState: 'added', courseDateId, webUserId: participantId }
  const foreign: [name: string, parts: Parts, allowed: Person[], isEmptyFile?: boolean][] = [
    ['getCourseDates', { params: { id: courseId } }, [people.teacher]],
    ['changePresence', { body: presence }, [people.teacher]],
    ['noteDoorGuest', { body: { ...presence, guestId: GUEST, name: 'Gast' } }, [people.teacher]],
    ['completeParticipation', { body: { courseId, isCompleted: false } }, [people.teacher]],
    ['getParticipantList', { params: { id: courseId } }, [people.teacher], true],
    ['getInboxFile', { params: { id: messageId } }, [people.participant]],
    ['listPhotos', { params: { albumId: privateAlbumId } }, [people.participant, people.teacher]],
  ]
  for (const [name, parts, allowed, isEmptyFile = false] of foreign) {
    const endpoint = endpoints[name]
    if (!endpoint) throw new Error(`no endpoint ${name}`)
    for (const person of Object.values(people)) {
      const { status, text } = await sendAs(target, endpoint, person.token, parts)
      const isAllowed = allowed.includes(person)
      const isRefused = status === 403 || status === 404 || (isEmptyFile && status === 200 && text.endsWith('] '))
      note(isAllowed === isRefused ? `${name} by ${person.name}: ${status}` : null)
    }
  }
}
