// How far long work has come, for whoever watches it.

export interface Progress {
  readonly done: number
  readonly of: number
}

export type Report = (progress: Progress) => void
