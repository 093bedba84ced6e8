const form = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Milliseconds since the epoch of an RFC 3339 time with any offset or fraction. NaN for any other text. */
export const parseTime = (text: string): number => (form.test(text) ? Date.parse(text) : Number.NaN);
