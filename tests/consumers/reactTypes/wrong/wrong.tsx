import { RigcastViewer } from 'rigcast/react';
export const wrong = <RigcastViewer loop="forever" />;
