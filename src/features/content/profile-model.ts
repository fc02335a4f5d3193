import type { InstructorProfile } from '#contract/content.ts'
import type { Language } from '#contract/values.ts'
import { pickText } from '#contract/words.ts'

const FACTS = ['courses', 'profession', 'hobbies', 'likeReasonsInstructor', 'favoriteWorkout'] as const

/** The facts of an instructor profile that are not empty, in the reader's language. */
export const instructorProfileFacts = (profile: InstructorProfile, language: Language) =>
  FACTS.map(key => ({ key, text: pickText(language, profile[key], profile[`${key}2`]) })).filter(({ text }) => text)
