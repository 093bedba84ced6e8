import { exits, matching } from './verdicts.ts';

const rules = (onExitCodes: object) => [exits('FailJob', onExitCodes)];
const listed = rules({ operator: 'In', values: [42] });
const notListed = rules({ operator: 'NotIn', values: [1] });
const ofMain = rules({ operator: 'In', values: [42], containerName: 'main' });

const neither = { main: 1, side: 2 };
const main = { main: 42, side: 1 };
const side = { main: 1, side: 42 };

export default [
  matching('on-exit-codes.in', [{ rules: listed, exitCodes: main }], [{ rules: listed, exitCodes: neither }]),
  matching(
    'on-exit-codes.not-in',
    [{ rules: notListed, exitCodes: side }],
    [{ rules: notListed, exitCodes: { main: 1, side: 1 } }],
  ),
  matching(
    'on-exit-codes.zero-excluded',
    [{ rules: notListed, exitCodes: { main: 0, side: 7 } }],
    [{ rules: notListed, exitCodes: { main: 0, side: 1 } }],
  ),
  matching('on-exit-codes.container-name', [{ rules: ofMain, exitCodes: main }], [{ rules: ofMain, exitCodes: side }]),
  matching(
    'on-exit-codes.container-name.null',
    [
      { rules: listed, exitCodes: main },
      { rules: listed, exitCodes: side },
    ],
    [],
  ),
];
