import { type MessagePort, parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import { company } from '#contract/company.ts'

/** Who asks gets the strength, 0 to 4, on a port of the request's own. */
export type StrengthQuestion = { password: string; personalWords: string[]; port: MessagePort }

/** What people here take for a password and the dictionaries do not know, with what they put behind it. */
const words = [
  ...['passwort', 'kennwort', 'geheim', 'hallo', 'qwertz', 'yxcvbn', 'frühling', 'sommer', 'herbst', 'winter'],
  ...[company.portalName, company.groupName, company.healthInsurer, company.city, 'sport'],
].map(word => word.toLowerCase())
const endings = ['', '1', '12', '123', '1234', ...Array.from({ length: 30 }, (_, index) => String(2010 + index))]
const LOCAL_WORDS = words.flatMap(word => endings.map(ending => `${word}${ending}`))

/** The work grows faster than the length, and a strong beginning is strong enough. */
const MAX_JUDGED_LENGTH = 24

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...german.dictionary, local: LOCAL_WORDS },
  graphs: common.adjacencyGraphs,
})

parentPort?.on('message', ({ password, personalWords, port }: StrengthQuestion) => {
  port.postMessage(estimator.check(password.slice(0, MAX_JUDGED_LENGTH), personalWords).score)
  port.close()
})
