.word 16
.hops 5
PUSH [Switch:SwitchID]
PUSH [PacketMetadata:OutputPort]
PUSH [Queue:QueueOccupancy]
