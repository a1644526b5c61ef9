// The progress of long work.

export interface Progress {
  readonly done: number
  readonly of: number
}

export type Report = (progress: Progress) => void
