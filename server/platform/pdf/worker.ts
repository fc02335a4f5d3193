import { handleJobs } from '#server/platform/process/thread-jobs.ts'
import { renderPdf } from './document.ts'
import type { PrintJob } from './printer.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

handleJobs((job: PrintJob): Promise<Uint8Array> => ('pdf' in job ? renderPdf(job.pdf) : renderSpreadsheet(job.sheets)))
