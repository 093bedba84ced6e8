/** From the root of an object to a value in it: names of members and positions in lists. */
export type Way = readonly (string | number)[];

/** The first steps of a way as a field path: `spec.containers[0].env`. */
export function pathOf(way: Way, length: number): string {
  let path = '';
  for (let at = 0; at < length; at++) {
    const step = way[at];
    if (typeof step === 'number') path += `[${step}]`;
    else path += at === 0 ? step : `.${step}`;
  }
  return path;
}

const namesInPlaces = 3;

/** The names among the first steps of a way, at most three: `spec.containers.env`. */
export function firstNames(way: Way, length: number): string {
  const names: string[] = [];
  for (let at = 0; at < length && names.length < namesInPlaces; at++) {
    const step = way[at];
    if (typeof step === 'string') names.push(step);
  }
  return names.join('.');
}
