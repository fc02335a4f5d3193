import type { OutboxPlatform, OutboxUser } from '#features/attendance/outbox/platform.ts'
import { createEntrySender } from '#features/attendance/outbox/platform.ts'
import { ApiError, NoResponseError } from '#lib/api-error.ts'
import type { ApiCall } from '#lib/call.ts'
import type { Encryptor } from '#lib/encrypted-storage.ts'
import { type Clock, Violation } from './clock.ts'
import { named, type Runtime } from './disk.ts'
import type { Phone } from './phone.ts'
import type { Random } from './plan.ts'
import type { Service } from './service.ts'

/** Everything between a phone and the service: network, locks, other tabs, the keys of the lists. */
export class Wires {
  private clock: Clock
  private random: Random
  private service: Service
  private fail: (text: string) => void
  private made = 0
  readonly sends: { at: number; changeId: string; runtime: Runtime }[] = []

  constructor(
    { clock, random, service }: { clock: Clock; random: Random; service: Service },
    fail: (text: string) => void,
  ) {
    this.clock = clock
    this.random = random
    this.service = service
    this.fail = fail
  }

  /** An id as a browser would make it. @param family 0 of changes, 1 of guests */
  newId(family: 0 | 1): string {
    this.made += 1
    return `${family}0000000-0000-4000-8000-${String(this.made).padStart(12, '0')}`
  }

  /** The network of a phone: what becomes of one call. */
  async exchange<T>(phone: Phone, runtime: Runtime, ask: () => T): Promise<T> {
    const pause = (low: number, high: number) =>
      new Promise<void>(resolve => this.clock.after(this.random.between(low, high), () => runtime.run(resolve)))
    const weather =
      phone.weather === 'stormy'
        ? this.random.pick(['fine', 'gone', 'cut', 'half', 'html', 'foreign', 'busy'] as const)
        : phone.weather
    await pause(2, 120)
    if (weather === 'gone') throw new NoResponseError('gone')
    if (weather === 'html') throw new NoResponseError('html')
    if (weather === 'busy') throw new ApiError(this.random.pick([429, 500, 503]), 'busy', 3)
    if (weather === 'foreign') return {} as T
    const answer = ask()
    phone.notes.set('offset', String(this.clock.now - (this.clock.now + phone.skewMs)))
    runtime.verifiedMs = this.clock.now
    if (weather === 'cut') {
      await pause(2, 20_000)
      throw new NoResponseError('cut')
    }
    if (weather === 'half') throw new NoResponseError('half')
    await pause(2, 400)
    return answer
  }

  private callOf(phone: Phone, runtime: Runtime, onLost: (token: string) => void): ApiCall {
    const service = this.service
    type Options = { token: string; body: Record<string, unknown>; signal: AbortSignal }
    return (async (endpoint: { path: string }, { token, body, signal }: Options) => {
      try {
        // Given up, it may arrive all the same.
        const givenUp = new Promise<never>((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )
        const answered = this.exchange(phone, runtime, () => {
          if (!service.sessions.has(token)) throw new ApiError(401, 'session')
          if (endpoint.path.endsWith('/participatingcomplete')) {
            service.isComplete = body.isCompleted === true
            return { ...body, state: 'Ok', message: '' }
          }
          if (endpoint.path.endsWith('/guest')) return service.note(body)
          this.sends.push({ at: this.clock.now, changeId: String(body.changeId), runtime })
          return service.change(token, body)
        })
        return await Promise.race([answered, givenUp])
      } catch (error) {
        if (error instanceof Violation) this.fail(error.message)
        if (error instanceof ApiError && error.status === 401) onLost(token)
        throw error
      }
    }) as unknown as ApiCall
  }

  worldOf(phone: Phone, runtime: Runtime, isWorker: boolean, onLost: (token: string) => void): OutboxPlatform {
    const { clock, random } = this
    return {
      now: () => clock.now + phone.skewMs,
      clockOffsetMs: () => Number(phone.notes.get('offset') ?? 0),
      // Time passes alike for the monotonic clocks of server and device.
      verifiedServerNow: () => runtime.verifiedMs && clock.now,
      random: random.next,
      language: () => 'de',
      newId: () => this.newId(0),
      after: (ms, act) => clock.after(ms, () => runtime.run(act)),
      openDatabase: onLost => phone.disk.open(runtime, onLost),
      notes:
        isWorker || !phone.hasNotes
          ? null
          : {
              getItem: key => phone.notes.get(key) ?? null,
              setItem: (key, value) => void phone.notes.set(key, value),
            },
      send: createEntrySender(this.callOf(phone, runtime, onLost)),
      locks: {
        request: (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) =>
          this.underLock(phone, runtime, signal, work),
      } as unknown as OutboxPlatform['locks'] & object,
      tell: message => {
        for (const { runtime: other, outbox, lists } of phone.pages) {
          if (other === runtime) continue
          clock.after(random.between(1, 8), () =>
            other.run(() => {
              if (message === 'lists') lists.recall().catch(() => undefined)
              outbox.refresh()
            }),
          )
        }
      },
      askWorker: () => {
        phone.isSyncAsked = true
      },
    }
  }

  private underLock(phone: Phone, runtime: Runtime, signal: AbortSignal, work: () => Promise<unknown>) {
    return new Promise((resolve, reject) => {
      const take = () => {
        if (signal.aborted || runtime.isDead) return giveOn()
        phone.locked = true
        work().then(resolve, reject).finally(giveOn)
      }
      const giveOn = () => phone.giveLockOn()
      signal.addEventListener('abort', () => reject(named('AbortError')))
      if (phone.locked) phone.waitingForLock.push(take)
      else take()
    })
  }

  /** A token stands for the key: what another session sealed cannot be opened. */
  encryptorOf = ({ token }: OutboxUser): Encryptor => ({
    sessionId: token,
    seal: async (key, value, expiresAt) => {
      const data = new TextEncoder().encode(JSON.stringify({ key, token, value })).buffer
      return { kind: 'sealed', sessionId: token, expiresAt, iv: new Uint8Array(12), data: data as ArrayBuffer }
    },
    open: async (key, { data }) => {
      const inside = JSON.parse(new TextDecoder().decode(data))
      if (inside.key !== key || inside.token !== token) throw named('OperationError')
      return inside.value
    },
  })
}
