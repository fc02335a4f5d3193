import { awaitedPart } from '#components/lazy-screen.tsx'
import { useSession } from '#features/session/store.ts'
import { Plan } from './plan.tsx'

/** With the lists of the gym, whose files only instructors fetch. */
const { screen: InstructorPlan } = awaitedPart(() => import('./instructor-plan.tsx').then(m => m.InstructorPlan))

const toCourse = (courseId: number) => `/course-details/${courseId}`
const NOTHING: readonly never[] = []

/** The start page of whoever is logged in: the next two weeks, and what is not as it was planned. See docs/decisions/0078. */
export function MyPlan() {
  const isInstructor = useSession(state => state.session?.isInstructor ?? false)
  return isInstructor ? <InstructorPlan /> : <Plan taught={NOTHING} listAddress={toCourse} />
}
