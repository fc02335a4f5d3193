import type { ResponseOf } from '#contract/endpoint.ts'
import type { getOfficeCourse, listOfficeCourses, listRooms } from '#contract/office/office.ts'
import type { listAbsenceLessons, listClosureLessons } from '#contract/office/planning.ts'
import type { getOfficeGrid, listOfficeInstructors, listOfficeSeasons } from '#contract/office/programme.ts'

export type Season = ResponseOf<typeof listOfficeSeasons>['items'][number]
export type CourseRow = ResponseOf<typeof listOfficeCourses>['items'][number]
export type OfficeCourse = ResponseOf<typeof getOfficeCourse>
export type Lesson = OfficeCourse['lessons'][number]
export type Participant = OfficeCourse['booked'][number]
export type Room = ResponseOf<typeof listRooms>['items'][number]
export type Instructor = ResponseOf<typeof listOfficeInstructors>['items'][number]
export type ProgrammeGrid = ResponseOf<typeof getOfficeGrid>
export type GridLesson = ProgrammeGrid['lessons'][number]
export type ClosureLesson = ResponseOf<typeof listClosureLessons>['lessons'][number]
export type AbsenceLesson = ResponseOf<typeof listAbsenceLessons>['lessons'][number]
