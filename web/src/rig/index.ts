// rigcast/rig: the pose of a rig without three.js.
export { Animator, SOLVER_ORDER, type Solver, type SolverStage } from './animator.ts';
export { type Carrier, carrierOf } from './carry.ts';
export { type Curve, CurveCursor } from './curve.ts';
export { Constraint, type ConstraintDesign, type ConstraintKind } from './constraint.ts';
export { ExpressionSolver } from './expressions.ts';
export { FingerMotion } from './fingers.ts';
export { handBonesOf, type HumanBone, type Humanoid, humanoidOf } from './humanoid.ts';
export { type HandleDesign, IkHandle } from './ik.ts';
export { Layer } from './layer.ts';
export { maskOf } from './mask.ts';
export { type MotionFacts, motionFacts } from './motionFacts.ts';
export { Notes } from './notes.ts';
export { type Channel, Pose, PoseShape } from './pose.ts';
export { type ProportionOptions, Proportions, type TranslationMode } from './proportions.ts';
export { type RetargetOptions, Retargeter } from './retarget.ts';
export { Rigging, type RiggingPart } from './rigging.ts';
export { Springs } from './swing.ts';
export { WorldMatrices } from './world.ts';
