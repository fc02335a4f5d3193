import { useSession } from '#features/session/store.ts'

/** Loads what every screen needs, then judges the stored session. */
export async function startApp(): Promise<void> {
  await useSession.getState().check()
}
