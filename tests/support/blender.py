# blender -b --factory-startup --python tests/support/blender.py -- FILE.glb SECONDS…: where Blender's importer puts bones and skin, in the space of glTF, as a line of JSON:
# for each action and moment the heads of bones by name, and the box around all that is seen.
import json
import sys

import bpy
import numpy

# The importer of Blender 3.4 asks for a name that numpy has no more; Debian ships both.
if not hasattr(numpy, 'bool'):
    numpy.bool = bool

path, *seconds = sys.argv[sys.argv.index('--') + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=path)
scene = bpy.context.scene
rate = scene.render.fps


def upright(place):
    return [place[0], place[2], -place[1]]


def pose():
    graph = bpy.context.evaluated_depsgraph_get()
    bones = {}
    corners = []
    for thing in scene.objects:
        seen = thing.evaluated_get(graph)
        if thing.type == 'ARMATURE':
            for bone in seen.pose.bones:
                bones[bone.name] = upright(seen.matrix_world @ bone.head)
        elif thing.type == 'MESH' and not thing.hide_get() and thing.name != 'Icosphere':
            mesh = seen.to_mesh()
            corners += [upright(seen.matrix_world @ vertex.co) for vertex in mesh.vertices]
            seen.to_mesh_clear()
    box = [[limit(corner[axis] for corner in corners) for axis in range(3)] for limit in (min, max)] if corners else None
    return {'bones': bones, 'box': box}


def play(action):
    for thing in scene.objects:
        if thing.type == 'ARMATURE':
            for track in thing.animation_data.nla_tracks:
                track.mute = True
            thing.animation_data.action = action


armatures = [thing for thing in scene.objects if thing.type == 'ARMATURE']
found = {}
names = sorted({track.name for thing in armatures if thing.animation_data for track in thing.animation_data.nla_tracks})
for name in names:
    actions = [
        (thing, track.strips[0].action)
        for thing in armatures
        if thing.animation_data
        for track in thing.animation_data.nla_tracks
        if track.name == name
    ]
    play(actions[0][1])
    found[name] = []
    for second in map(float, seconds):
        frame = second * rate
        scene.frame_set(int(frame), subframe=frame - int(frame))
        found[name].append(pose())
print('FOUND ' + json.dumps(found))
